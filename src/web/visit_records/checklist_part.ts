import { findChecklists, type ChecklistItem, type JobChecklist } from '../../mobile/checklists/job_checklist.ts'
import { listTemplates } from '../../mobile/checklists/template.ts'
import type { Job } from '../../records/jobs/index.ts'
import { button } from '../../platform/html/parts/button.ts'
import { checkbox, field, hidden, select } from '../../platform/html/parts/field.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { moreMenu } from '../../platform/html/parts/more.ts'
import { status } from '../../platform/html/parts/status.ts'
import { say, sayFor } from '../../platform/i18n/say.ts'
import { moment } from '../../records/format/formats.ts'
import { part } from '../../records/page/parts.ts'
import type { MemberContext } from '../member_context.ts'
import type { VisitRecord } from './job_context.ts'

/** Renders a visit's checklists as forms that work without scripts, and the form that adds one. */
export async function checklistPart(context: MemberContext, job: Job): Promise<VisitRecord> {
  const [lists, templates] = await context.read((db) => Promise.all([findChecklists(db, job), listTemplates(db)]))
  const mayWrite = context.may('write:jobs') && job.status !== 'cancelled'
  const availableTemplates = templates.filter(({ id }) => lists.every(({ template_id }) => template_id !== id))
  const there = context.path('jobs', job.id, 'checklists')
  const choicePath = context.path('jobs', job.id, 'checklists', 'choice')
  return {
    part: when(
      lists.length > 0,
      () =>
        html`<div id="checklists">${lists.map((list) =>
          part(
            list.name,
            mayWrite ? listForm(context, list, there) : listHtml(context, list),
            mayWrite ? moreMenu(say`More`, [removeForm(list, choicePath)]) : '',
          ),
        )}</div>`,
    ),
    start: when(
      mayWrite && availableTemplates.length > 0,
      () => html`<details class="fold"><summary class="button">${say`Add a checklist`}</summary>
<form class="form" method="post" action="${choicePath}">
  ${hidden('act', 'add')}${select({
    name: 'template',
    label: say`Checklist`,
    options: availableTemplates.map(({ id, name }) => ({ value: id, label: name })),
  })}
  <p class="actions">${button({ label: say`Add` })}</p>
</form></details>`,
    ),
  }
}

const removeForm = ({ template_id, name }: JobChecklist, there: string): Html => html`
<form method="post" action="${there}">${hidden('act', 'leave_out')}${hidden(
  'template',
  template_id,
)}<button class="button quiet">${say`Remove from job`}<span class="unseen">: ${name}</span></button></form>`

const listForm = (context: MemberContext, { items }: JobChecklist, there: string): Html => html`
<form class="form checklist" method="post" action="${there}">${items.map(
  (item) => html`${hidden(`seen.${fieldOf(item)}`, answerText(item))}${itemField(context, item)}`,
)}
  <p class="actions">${button({ label: say`Save` })}</p>
</form>`

/** Returns the field name of an item, which tells how to parse its answer. */
const fieldOf = ({ id, kind }: ChecklistItem): string => `${kind === 'check' ? 'check' : 'item'}.${id}`

/** Returns an answer as its field submits it. */
const answerText = ({ kind, value }: Pick<ChecklistItem, 'kind' | 'value'>): string =>
  value === null ? '' : kind === 'check' ? 'yes' : String(value)

function itemField(context: MemberContext, item: ChecklistItem): Html {
  const attributes = { name: fieldOf(item), label: item.text, help: helpOf(context, item) }
  if (item.kind === 'check') return checkbox({ ...attributes, isChecked: item.value === true })
  return field({
    ...attributes,
    value: answerText(item),
    ...(item.kind === 'number' ? { keys: 'decimal' as const } : {}),
  })
}

function helpOf({ company }: MemberContext, { is_required, done_at, done_by_name }: ChecklistItem): string | undefined {
  if (done_at !== null) return `${done_by_name ?? say`Callout`}, ${moment(done_at, company.timezone)}`
  return is_required ? say`Required before the visit is done` : undefined
}

const listHtml = (context: MemberContext, { items }: JobChecklist): Html => html`
<ul class="notes">${items.map(
  (item) => html`
  <li class="note">
    <p>${item.text} ${answerTag(item)}</p>${when(
      helpOf(context, item),
      (help) => html`<p class="help">${help}</p>`,
    )}</li>`,
)}
</ul>`

/** Renders an answer as a tag: done, open, or its value. */
const answerTag = ({ kind, value, is_required }: ChecklistItem): Html => {
  if (value === null) return status(sayFor('checklist_item')`Open`, is_required ? 'warning' : 'plain')
  return status(kind === 'check' ? sayFor('checklist_item')`Done` : String(value), 'good')
}
