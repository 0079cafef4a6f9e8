import { changeOwnPassword } from '../../identity/people/recovery/own_password.ts'
import { changeOwnProfile } from '../../identity/people/own_profile.ts'
import { factorsOf } from '../../identity/factors/factors.ts'
import { isOperator } from '../../identity/people/operators.ts'
import { membershipsOf } from '../../identity/people/memberships.ts'
import { requestEmailChange } from '../../identity/people/recovery/email_verification.ts'
import { countActiveAccess } from '../../identity/people/active_access.ts'
import { button } from '../../platform/html/parts/button.ts'
import { facts } from '../../platform/html/parts/facts.ts'
import { checkbox, field, select, type Option } from '../../platform/html/parts/field.ts'
import { readFormFields } from '../../platform/http/form.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { messageResponse } from '../../platform/html/message.ts'
import { sayHtml } from '../../platform/html/say_html.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { languageOf, changeReader } from '../../platform/i18n/reader.ts'
import { say } from '../../platform/i18n/say.ts'
import { conflict, type Refusal } from '../../platform/errors/refusal.ts'
import { part } from '../../records/page/parts.ts'
import { noticeList, linkSentMessage } from '../account/notices.ts'
import {
  isOwnContext,
  requireMemberContext,
  requireOwnContext,
  type MemberContext,
  type OwnContext,
} from '../member_context.ts'
import { roleName } from '../../identity/permissions/names.ts'
import { redirectWithMessage } from '../flash_message.ts'
import { factorsPart } from '../account/factors/part.ts'
import { requireForFactors } from '../sign_in/recent.ts'
import { originOf, addSessionCookies } from '../sign_in/session.ts'
import type { Site } from '../site.ts'
import { levelsHtml } from './apps/areas.ts'
import { addressPart } from './messages/own_address.ts'
import { activeAccessText, passwordPart } from './password_part.ts'
import { catchRefusal, settingsPath, settingsPage } from './settings_page.ts'
import { refusals } from '../refusals.ts'

export async function showYou(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  return isOwnContext(context) ? youPage(site, context) : companyMemberPage(context)
}

/** Draws the person's own settings, with the refusal if there is one. */
const youPage = async (site: Site, context: OwnContext, refusal?: Refusal): Promise<Response> =>
  settingsPage(context, '', say`You`, await page(site, context), refusal)

/** Draws the profile page of a person who signed in through the company's own provider. */
const companyMemberPage = (context: MemberContext): Response =>
  settingsPage(
    context,
    '',
    say`You`,
    part(
      say`You`,
      html`
  ${facts([
    { label: say`Name`, value: context.user.name },
    { label: say`Your role`, value: roleName(context.session.role) },
  ])}
  <p>${say`You are signed in to ${context.company.name} only, through its provider. Sign in with your own account to see and change what is yours in every company.`}</p>
  <p><a href="/sign-in?to=${encodeURIComponent(context.path('settings'))}">${say`Sign in with your own account`}</a></p>
  <h3>${say`What you can do`}</h3>
  ${levelsHtml(context)}`,
    ),
  )

/** Saves a person's name, language and keyboard shortcuts, for all their companies. */
export async function saveProfile(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwnContext(site, request)
  const sent = await readFormFields(request.req.raw)
  return catchRefusal(
    async () => {
      const language = sent.get('language') ?? ''
      await changeOwnProfile(site.database, context.user.id, {
        name: sent.get('name') ?? '',
        language,
        usesKeys: sent.has('uses_keys'),
      })
      changeReader({ language: languageOf(language || request.req.header('accept-language')) })
      return redirectWithMessage(settingsPath(context, ''), { sentence: say`Saved` })
    },
    (refusal) => youPage(site, context, refusal),
  )
}

/** Saves a new password, which ends the sessions of all other browsers. */
export async function savePassword(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwnContext(site, request)
  const { hasPassword } = await factorsOf(site.database.send, context.user.id)
  if (!hasPassword) await requireForFactors(site, request, context.session)
  const sent = await readFormFields(request.req.raw)
  return catchRefusal(
    async () => {
      const change = {
        current: sent.get('current') ?? '',
        next: sent.get('next') ?? '',
        endsActiveAccess: sent.has('end_standing'),
        methods: context.session.methods,
      }
      const { newSession, remaining } = await changeOwnPassword(
        site.database,
        context.user.id,
        change,
        originOf(site, request),
      )
      return addSessionCookies(
        site,
        newSession,
        messageResponse({
          title: say`Your password was changed`,
          body: `${say`You were signed out on your other devices.`} ${activeAccessText(remaining)}`,
          next: { label: say`Back to settings`, href: settingsPath(context, '') },
        }),
      )
    },
    (refusal) => youPage(site, context, refusal),
  )
}

/** Emails a verification link to the person's new address. */
export async function changeAddress(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwnContext(site, request)
  const { hasPassword } = await factorsOf(site.database.send, context.user.id)
  if (!hasPassword) await requireForFactors(site, request, context.session)
  const sent = await readFormFields(request.req.raw)
  return catchRefusal(
    async () => {
      if (site.mailing === 'none') throw conflict(refusals.noMailToChangeAddress())
      const input = { address: sent.get('address') ?? '', password: sent.get('password') ?? '' }
      const to = await requestEmailChange(site.database, context.user.id, input)
      return redirectWithMessage(settingsPath(context, ''), linkSentMessage(to, site.mailing))
    },
    (refusal) => youPage(site, context, refusal),
  )
}

async function page(site: Site, context: OwnContext): Promise<Html> {
  const { user, company } = context.session
  const isServiceOperator = await isOperator(site.database, user.id)
  const access = await countActiveAccess(site.database.send, user.id)
  const { hasPassword, linked } = await factorsOf(site.database.send, user.id)
  const others = (await membershipsOf(site.database, user.id)).filter(
    (membership) => membership.company.id !== company.id,
  )
  const notices = await noticeList(site, context.session, {
    to: settingsPath(context, ''),
    zone: company.timezone,
    hasVerificationRequest: true,
  })
  return html`${notices}
<div class="parts">
<div class="column">${profilePart(context, others, isServiceOperator)}</div>
<div class="column">${await addressPart(site, context)}
${await factorsPart(site, { user: user.id, to: context.path('settings'), zone: company.timezone })}
${passwordPart(context, { hasPassword, linked, activeAccess: access })}
${part(
  say`Your data`,
  html`
  <p class="help">
    ${say`Your profile, sessions, keys, hours, assignments, notes and what you did in this company, in one ZIP file.`}
  </p>
  <form method="post" action="${context.path('settings', 'you', 'data')}">
    <p class="actions">${button({ label: say`Download` })}</p>
  </form>`,
)}</div>
</div>`
}

/** Languages by their native names. */
const LANGUAGE_NAMES: readonly Option[] = [
  { value: 'en', label: 'English' },
  { value: 'es', label: 'Español' },
]

const profilePart = (
  context: OwnContext,
  others: Awaited<ReturnType<typeof membershipsOf>>,
  isServiceOperator: boolean,
): Html =>
  part(
    say`You`,
    html`
  ${facts([{ label: say`Your role`, value: roleName(context.session.role) }])}
  <form class="form" method="post" action="${context.path('settings', 'you')}">
    ${field({
      name: 'name',
      label: say`Name`,
      value: context.session.user.name,
      autocomplete: 'name',
      isRequired: true,
      help: say`Customers and colleagues see this name in every company`,
    })}
    ${select({
      name: 'language',
      label: say`Language`,
      options: LANGUAGE_NAMES,
      chosen: context.session.user.language ?? '',
      none: say`Same as my browser`,
    })}
    ${checkbox({
      name: 'uses_keys',
      label: say`Keyboard shortcuts`,
      isChecked: context.session.user.usesKeys,
      help: say`Single keys such as / for search. Ctrl+K works either way.`,
    })}
    <p class="actions">${button({ label: say`Save` })}</p>
  </form>
  <h3>${say`What you can do`}</h3>
  ${levelsHtml(context)}${when(
    others.length > 0,
    () => html`
  <p>
    ${sayHtml`You also belong to ${html`${others.map(
      (membership, i) => html`${i > 0 ? ', ' : ''}<a href="/${membership.company.id}">${membership.company.name}</a>`,
    )}`}.`}
  </p>`,
  )}${when(
    isServiceOperator,
    () => html`
  <p>${say`You are an operator of this service.`} <a href="/operator">${say`Open the operator page`}</a></p>`,
  )}`,
  )
