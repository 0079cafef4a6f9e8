import { deviceText } from '../../identity/security/device.ts'
import { listAccountLog } from '../../identity/security/log.ts'
import { endOtherSessions, endOwnSession, listSessions, type OwnSession } from '../../identity/sign_in/own_sessions.ts'
import { button } from '../../platform/html/parts/button.ts'
import { readFormFields } from '../../platform/http/form.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { table } from '../../platform/html/parts/table.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import type { Refusal } from '../../platform/errors/refusal.ts'
import { moment } from '../../records/format/formats.ts'
import { requireOwnContext, type MemberContext, type OwnContext } from '../member_context.ts'
import { redirectWithMessage } from '../flash_message.ts'
import { originOf } from '../sign_in/session.ts'
import type { Site } from '../site.ts'
import { catchRefusal, settingsPath, settingsPage } from './settings_page.ts'
import { companyAccountsPart } from './people/company_accounts.ts'
import { identitiesPart } from './linked_accounts.ts'
import { logTable } from './people/security_log.ts'
import { methodsIn, networkText } from './people/security_words.ts'

/** Maximum entries shown of a person's own log. */
const MAX_SHOWN = 30

/** Shows a person's sessions, and the log of their account. */
export async function showSignIns(site: Site, request: PageRequest): Promise<Response> {
  return signInsPage(site, await requireOwnContext(site, request))
}

/** Ends one session, or all others. */
export async function endSignIns(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwnContext(site, request)
  const id = (await readFormFields(request.req.raw)).get('session') ?? ''
  return catchRefusal(
    async () => {
      const origin = originOf(site, request)
      if (id !== '') await endOwnSession(site.database, context.session, id, origin)
      const count = id !== '' ? 1 : await endOtherSessions(site.database, context.session, origin)
      return redirectWithMessage(settingsPath(context, 'sign-ins'), {
        sentence: sayCount(count, 'One other browser is signed out.', '{0} other browsers are signed out.'),
      })
    },
    (refusal) => signInsPage(site, context, refusal),
  )
}

/** Draws the page, with a refusal at the top. */
export async function signInsPage(site: Site, context: OwnContext, refusal?: Refusal): Promise<Response> {
  const { user } = context
  const [sessions, log, linked, atCompany] = await Promise.all([
    listSessions(site.database, user.id),
    listAccountLog(site.database, user.id, MAX_SHOWN),
    identitiesPart(site, context),
    companyAccountsPart(site, context, user.id),
  ])
  const hasOthers = sessions.some(({ id }) => id !== context.session.id)
  return settingsPage(
    context,
    'sign-ins',
    say`Sign-ins`,
    html`
<h2>${say`Where you are signed in`}</h2>
  ${sessionTable(context, sessions)}${when(
    hasOthers,
    () => html`
  <form method="post" action="${settingsPath(context, 'sign-ins')}">
    <p class="actions">${button({ label: say`Sign out everywhere else`, kind: 'danger' })}</p>
  </form>`,
  )}
  <p class="help">${say`A browser is signed out after 30 days without use, and after 90 days in any case.`}</p>
  ${linked}${atCompany}
  <h2>${say`Account activity`}</h2>
  ${logTable(context, log, { hasPeople: false })}
  <p class="help">${say`Something you don't recognize? Sign out everywhere else, then change your password.`}</p>`,
    refusal,
  )
}

const sessionTable = (context: MemberContext, sessions: readonly OwnSession[]): Html =>
  table<OwnSession>({
    caption: say`Where you are signed in`,
    isCaptionHidden: true,
    rows: sessions,
    empty: say`Nowhere`,
    columns: [
      {
        label: say`Browser`,
        cell: ({ device, network }) =>
          html`${device === null ? say`Unknown browser` : deviceText(device)}${when(
            networkText(network),
            (networkLabel) => html`<span class="help">${networkLabel}</span>`,
          )}`,
      },
      {
        label: say`Signed in`,
        cell: ({ created_at, methods }) =>
          html`${moment(created_at, context.company.timezone)}<span class="help">${methodsIn(methods)}</span>`,
      },
      {
        label: say`Last used`,
        cell: ({ id, seen_at }) =>
          id === context.session.id ? say`This browser, now` : moment(seen_at, context.company.timezone),
      },
      { label: say`Sign out`, cell: ({ id }) => (id === context.session.id ? '' : endForm(context, id)) },
    ],
  })

const endForm = (context: MemberContext, id: string): Html =>
  html`<form method="post"
    action="${settingsPath(context, 'sign-ins')}"><input type="hidden" name="session" value="${id}">${button({
      label: say`Sign out`,
    })}</form>`
