import { html, when, type Html } from '../../../platform/html/html.ts'
import { say } from '../../../platform/i18n/say.ts'
import { part } from '../../../records/page/parts.ts'

/** Item that needs attention, with its next step. */
type WorkItem = {
  title: Html | string
  help?: Html | string | undefined
  /** Word or amount at the right. */
  mark?: Html | string | undefined
  step?: { label: string; href: string; about: string } | undefined
}

/** Items of one kind: the first few, the total count, and the path of the full list. */
export type WorkGroup = { title: string; count: number; items: readonly WorkItem[]; all?: string | undefined }

/** Maximum items of a kind to show; the full list has the rest. */
export const MAX_ITEMS = 4

/** Renders all groups as one list, without empty ones. */
export function worklist(groups: readonly WorkGroup[]): Html {
  const waiting = groups.filter(({ count }) => count > 0)
  return part(
    say`Needs attention`,
    waiting.length === 0
      ? html`<p class="empty">${say`Nothing is waiting for you.`}</p>`
      : html`${waiting.map(groupHtml)}`,
  )
}

const groupHtml = ({ title, count, items, all }: WorkGroup): Html => html`
  <section class="work-group">
    <h3>${title} <span>${count}</span>${when(
      count > items.length ? all : undefined,
      (all) => html`<a href="${all}">${say`Show all`}<span class="unseen">: ${title}</span></a>`,
    )}</h3>
    <ul class="agenda">${items.map(
      ({ title, help, mark, step }) => html`
      <li><span>${title}${when(help, (help) => html`<span class="help">${help}</span>`)}</span>${when(
        mark,
        (mark) => html`<b class="amount">${mark}</b>`,
      )}${when(
        step,
        ({ label, href, about }) =>
          html`<a class="button" href="${href}">${label}<span class="unseen"> ${about}</span></a>`,
      )}</li>`,
    )}
    </ul>
  </section>`
