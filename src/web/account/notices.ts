import { askProof } from '../../access/people/proving.ts'
import { noticeWords, whatToDo } from '../../access/security/notice_words.ts'
import { dismissNotice, listNotices, type AccountNotice } from '../../access/security/notices.ts'
import { ownPath } from '../../html/answer.ts'
import { button } from '../../html/button.ts'
import { OPEN_BYTES, formOf } from '../../html/form.ts'
import { hidden } from '../../html/field.ts'
import { html, when, type Html } from '../../html/html.ts'
import type { Visit } from '../../html/visit.ts'
import { say } from '../../language/say.ts'
import { Refusal } from '../../refusal.ts'
import { moment } from '../../screens/formats.ts'
import { isId } from '../../shape/id.ts'
import { redirectSaying, type Saying } from '../saying.ts'
import { requirePerson } from '../sign_in/session.ts'
import type { Site } from '../site.ts'

/** Says on which page notices stand and in which time zone, and whether the page asks for proof of the address itself. */
type NoticePlace = { to: string; zone: string; asksItself?: boolean }

/** Draws what a person is still to be told of their account. */
export async function noticeList(
  { database, mailing }: Site,
  user: { id: string },
  { to, zone, asksItself = false }: NoticePlace,
): Promise<Html | ''> {
  const listed = await listNotices(database, user.id, mailing)
  const notices = listed.filter(({ kind }) => !asksItself || kind !== 'prove_address')
  return notices.length === 0 ? '' : html`${notices.map((one) => noticeOf(one, to, zone))}`
}

const noticeOf = (one: AccountNotice, to: string, zone: string): Html => {
  const { title, body } = noticeWords(one)
  const asks = one.kind === 'prove_address'
  return html`
<section class="notice ${asks ? 'info' : 'warning'}" aria-label="${title}">
  <p class="notice-title">${title}</p>
  <p>${body}${when(!asks, () => html` <span class="help">${moment(one.at, zone)}</span>`)}</p>${when(
    !asks,
    () => html`
  <p>${whatToDo(one.kind)}</p>`,
  )}
  <div class="actions">${when(asks, () => html`<form method="post" action="/account/proof">${hidden('to', to)}${button({ label: say`Send me the link` })}</form>`)}<form method="post" action="/account/notices">${hidden('id', one.id)}${hidden('to', to)}${button({ label: asks ? say`Not now` : say`I know about it`, kind: 'quiet' })}</form></div>
</section>`
}

/** Puts a notice away. */
export async function dismiss(site: Site, visit: Visit): Promise<Response> {
  const { user } = await requirePerson(site, visit)
  const sent = await formOf(visit.req.raw, OPEN_BYTES)
  const id = sent.get('id') ?? ''
  if (isId(id)) await dismissNotice(site.database, user.id, id)
  return redirectSaying(ownPath(sent.get('to')), { sentence: say`Put away` })
}

/** Sends the link that proves the person's address. */
export async function sendProof(site: Site, visit: Visit): Promise<Response> {
  const { user } = await requirePerson(site, visit)
  const sent = await formOf(visit.req.raw, OPEN_BYTES)
  return redirectSaying(ownPath(sent.get('to')), await asked(site, user.id))
}

async function asked({ database, mailing }: Site, user: string): Promise<Saying> {
  if (mailing === 'none') return { sentence: say`This service sends no mail.` }
  try {
    return onItsWay(await askProof(database, user), mailing)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { sentence: error.message }
  }
}

/** Says that a mail with a link is on its way, or where whoever develops reads it. */
export const onItsWay = (email: string, mailing: Site['mailing']): Saying => ({
  sentence: say`A link is on its way to ${email}.`,
  notes:
    mailing === 'kept'
      ? [say`This service sends no mail yet. Whoever runs it finds yours with callout mail list.`]
      : [],
})
