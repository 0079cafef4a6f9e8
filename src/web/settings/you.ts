import { changeOwnPassword } from '../../access/people/own_password.ts'
import { changeOwnProfile } from '../../access/people/own_profile.ts'
import { isOperator } from '../../access/people/operators.ts'
import { remember } from '../../access/sign_in/known_browsers.ts'
import { membershipsOf } from '../../access/people/memberships.ts'
import { standingOf, type StandingAccess } from '../../access/people/standing.ts'
import { button } from '../../html/button.ts'
import { facts } from '../../html/facts.ts'
import { checkbox, field, select, type Option } from '../../html/field.ts'
import { formOf } from '../../html/form.ts'
import { html, when, type Html } from '../../html/html.ts'
import { message } from '../../html/message.ts'
import type { Visit } from '../../html/visit.ts'
import { languageOf, speakTo } from '../../language/reader.ts'
import { say } from '../../language/say.ts'
import { part } from '../../screens/parts.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { roleName } from '../../access/rights/names.ts'
import { redirectSaying } from '../saying.ts'
import { signedIn } from '../sign_in/session.ts'
import type { Site } from '../site.ts'
import { levelsHtml } from './areas.ts'
import { attempting, pathOf, settingsPage } from './room.ts'

export async function showYou(site: Site, visit: Visit): Promise<Response> {
  const context = await requireMemberContext(site, visit)
  return settingsPage(context, '', say`You`, await page(site, context))
}

/** Saves how the person is called and spoken to, everywhere. */
export async function saveProfile(site: Site, visit: Visit): Promise<Response> {
  const context = await requireMemberContext(site, visit)
  const sent = await formOf(visit.req.raw)
  return attempting(
    async () => {
      const language = sent.get('language') ?? ''
      await changeOwnProfile(site.database, context.user.id, { name: sent.get('name') ?? '', language })
      speakTo({ language: languageOf(language || visit.req.header('accept-language')) })
      return redirectSaying(pathOf(context, ''), { sentence: say`Saved` })
    },
    async (refusal) => settingsPage(context, '', say`You`, await page(site, context), refusal),
  )
}

/** Saves a new password, which ends the sessions of every other browser. */
export async function savePassword(site: Site, visit: Visit): Promise<Response> {
  const context = await requireMemberContext(site, visit)
  const sent = await formOf(visit.req.raw)
  return attempting(
    async () => {
      const { secret, left } = await changeOwnPassword(site.database, context.user.id, {
        current: sent.get('current') ?? '',
        next: sent.get('next') ?? '',
        endsStanding: sent.has('end_standing'),
      })
      const known = await remember(site.database, context.user.id, null)
      return signedIn(
        site,
        { secret, known },
        message({
          title: 'Your password is changed',
          body: `You are signed out everywhere else. ${inWords(left)}`,
          next: { label: 'Back to settings', href: pathOf(context, '') },
        }),
      )
    },
    async (refusal) => settingsPage(context, '', say`You`, await page(site, context), refusal),
  )
}

async function page(site: Site, context: MemberContext): Promise<Html> {
  const { user, role, company } = context.visitor
  const runsIt = await isOperator(site.database, user.id)
  const standing = await standingOf(site.database.send, user.id)
  const others = (await membershipsOf(site.database, user.id)).filter((place) => place.company.id !== company.id)
  return html`
<div class="parts">
${part(
  'You',
  html`
  ${facts([
    { label: 'E-mail', value: user.email },
    { label: 'Role here', value: roleName(role) },
  ])}
  <form class="form" method="post" action="${context.path('settings', 'you')}">
    ${field({ name: 'name', label: say`Name`, value: user.name, autocomplete: 'name', isRequired: true, help: say`As customers and colleagues see it, in every company` })}
    ${select({ name: 'language', label: say`Language`, options: LANGUAGE_NAMES, chosen: user.language ?? '', none: say`As in my browser` })}
    <p class="actions">${button({ label: say`Save` })}</p>
  </form>
  ${levelsHtml(context)}${when(
    others.length > 0,
    () => html`
  <p>You also belong to ${others.map((place, i) => html`${i > 0 ? ', ' : ''}<a href="/${place.company.id}">${place.company.name}</a>`)}.</p>`,
  )}${when(
    runsIt,
    () => html`
  <p>You are an operator of this installation: <a href="/operator">what waits for one</a>.</p>`,
  )}`,
)}
${part(
  'Password',
  html`
  <form class="form" method="post" action="${context.path('settings', 'password')}">
    ${field({ name: 'current', label: 'Password now', type: 'password', autocomplete: 'current-password', isRequired: true })}
    ${field({ name: 'next', label: 'New password', type: 'password', autocomplete: 'new-password', isRequired: true, help: 'At least 12 characters. You are signed out everywhere else.' })}
    ${checkbox({ name: 'end_standing', label: 'End my API keys and connected apps too, in every company', help: inWords(standing) })}
    <p class="actions">${button({ label: 'Change the password' })}</p>
  </form>`,
)}
</div>`
}

/** Lists the languages as their speakers call them. */
const LANGUAGE_NAMES: readonly Option[] = [
  { value: 'en', label: 'English' },
  { value: 'es', label: 'Español' },
]

const inWords = ({ keys, apps }: StandingAccess): string =>
  keys + apps === 0
    ? 'No API key or connected app of yours is in use.'
    : `In use without the password: ${counted(keys, 'API key')}, ${counted(apps, 'connected app')}.`

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
