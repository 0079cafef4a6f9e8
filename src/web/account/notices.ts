import { membershipsOf } from '../../identity/people/memberships.ts'
import { requestEmailVerification } from '../../identity/people/recovery/email_verification.ts'
import { noticeText, noticeAdvice } from '../../identity/security/notices/notice_text.ts'
import { dismissNotice, listNotices, type AccountNotice } from '../../identity/security/notices/notices.ts'
import type { AnySession } from '../../identity/sign_in/sessions.ts'
import { pageResponse, ownPath } from '../../platform/http/answer.ts'
import { button, linkButton } from '../../platform/html/parts/button.ts'
import { MAX_PUBLIC_FORM_BYTES, readFormFields } from '../../platform/http/form.ts'
import { hidden } from '../../platform/html/parts/field.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { layout } from '../../platform/html/layout.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { moment } from '../../records/format/formats.ts'
import { isId } from '../../platform/validation/id.ts'
import { redirectWithMessage, flashMessageHtml, takeFlashMessage, type FlashMessage } from '../flash_message.ts'
import { requirePerson } from '../sign_in/session.ts'
import type { Site } from '../site.ts'
import { refusalForPeople } from '../../platform/i18n/refusal_for_people.ts'

/**
 * Page on which notices appear and its time zone; `hasVerificationRequest` if the page itself asks for email
 * verification.
 */
type NoticeOptions = { to: string; zone: string; hasVerificationRequest?: boolean }

type Reader = Pick<AnySession, 'id' | 'user'>

const noticesFor = ({ database, mailing }: Site, { id, user }: Reader): Promise<AccountNotice[]> =>
  listNotices(database, { user: user.id, session: id }, mailing)

/** Renders a single line above a page: the number of notices, or the title of the only one, with a link to all. */
export async function noticeLine(site: Site, reader: Reader, to: string): Promise<Html | ''> {
  const notices = await noticesFor(site, reader)
  if (notices.length === 0) return ''
  const [newest, another] = notices
  return html`
<p class="notice warning notice-line"><a href="${NOTICES_PATH}?${new URLSearchParams({ to }).toString()}">${
    another === undefined
      ? noticeText(newest!).title
      : sayCount(notices.length, 'One notice about your account', '{0} notices about your account')
  }</a></p>`
}

const NOTICES_PATH = '/account/notices'

/** Shows all pending notices about a user's account. */
export async function showNotices(site: Site, request: PageRequest): Promise<Response> {
  const session = await requirePerson(site, request)
  const to = ownPath(request.req.query('to'))
  const here = `${NOTICES_PATH}?${new URLSearchParams({ to }).toString()}`
  const [notices, [membership]] = await Promise.all([
    noticesFor(site, session),
    membershipsOf(site.database, session.user.id),
  ])
  const flash = takeFlashMessage(request)
  return pageResponse(
    layout({
      title: say`Notices about your account`,
      isNarrow: true,
      person: session.user,
      body: html`${when(flash, flashMessageHtml)}
<section class="ticket">
  <h1>${say`Notices about your account`}</h1>${when(
    notices.length === 0,
    () => html`
  <p class="lead">${say`No new notices.`}</p>`,
  )}
  ${notices.map((one) => noticeOf(one, here, membership?.company.timezone ?? 'UTC'))}
  <p class="actions">${linkButton(say`Back`, to, 'quiet')}</p>
</section>`,
    }),
  )
}

/** Renders the pending notices about a user's account in full. */
export async function noticeList(
  site: Site,
  reader: Reader,
  { to, zone, hasVerificationRequest = false }: NoticeOptions,
): Promise<Html | ''> {
  const notices = (await noticesFor(site, reader)).filter(
    ({ kind }) => !hasVerificationRequest || kind !== 'prove_address',
  )
  return notices.length === 0 ? '' : html`${notices.map((one) => noticeOf(one, to, zone))}`
}

const noticeOf = (one: AccountNotice, to: string, zone: string): Html => {
  const { title, body } = noticeText(one)
  const isVerification = one.kind === 'prove_address'
  return html`
<section class="notice ${isVerification ? 'info' : 'warning'}" aria-label="${title}">
  <p class="notice-title">${title}</p>
  <p>${body}${when(!isVerification, () => html` <span class="help">${moment(one.at, zone)}</span>`)}</p>${when(
    !isVerification,
    () => html`
  <p>${noticeAdvice(one.kind)}</p>`,
  )}
  <div class="actions">${when(
    isVerification,
    () =>
      html`<form method="post" action="/account/proof">${hidden('to', to)}${button({ label: say`Send link` })}</form>`,
  )}<form method="post" action="${NOTICES_PATH}">${hidden('id', one.id)}${hidden('to', to)}${button({
    label: dismissLabel(one),
    kind: 'quiet',
  })}</form>
  </div>
</section>`
}

/** Kinds of notices about other people's actions, which can't be dismissed with "This was me". */
const KINDS_BY_OTHERS: ReadonlySet<AccountNotice['kind']> = new Set([
  'member_app',
  'app_asked',
  'app_approved',
  'app_declined',
  'company_provider',
  'member_second_account',
])

function dismissLabel({ kind }: AccountNotice): string {
  if (kind === 'prove_address') return say`Not now`
  return KINDS_BY_OTHERS.has(kind) ? say`Got it` : say`This was me`
}

export async function dismissAccountNotice(site: Site, request: PageRequest): Promise<Response> {
  const { user } = await requirePerson(site, request)
  const sent = await readFormFields(request.req.raw, MAX_PUBLIC_FORM_BYTES)
  const id = sent.get('id') ?? ''
  if (isId(id)) await dismissNotice(site.database, user.id, id)
  return redirectWithMessage(ownPath(sent.get('to')), { sentence: say`Dismissed` })
}

/** Sends the link that verifies the user's email address. */
export async function sendVerificationLink(site: Site, request: PageRequest): Promise<Response> {
  const { user } = await requirePerson(site, request)
  const sent = await readFormFields(request.req.raw, MAX_PUBLIC_FORM_BYTES)
  return redirectWithMessage(ownPath(sent.get('to')), await requestVerification(site, user.id))
}

async function requestVerification({ database, mailing }: Site, user: string): Promise<FlashMessage> {
  if (mailing === 'none') return { sentence: say`This service sends no mail.` }
  try {
    return linkSentMessage(await requestEmailVerification(database, user), mailing)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { sentence: refusalForPeople(error) }
  }
}

/** Returns the message that a link was sent; without mail delivery, tells where to find it. */
export const linkSentMessage = (email: string, mailing: Site['mailing']): FlashMessage => ({
  sentence: say`A link is on its way to ${email}.`,
  notes:
    mailing === 'kept'
      ? [say`This service doesn’t send mail yet. Its administrator can find yours with callout mail list.`]
      : [],
})
