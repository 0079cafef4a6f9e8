import { isOffice } from '../../identity/permissions/areas.ts'
import type { Scope } from '../../identity/permissions/scopes.ts'
import { attribute, html, type Html } from '../../platform/html/html.ts'
import { say } from '../../platform/i18n/say.ts'
import type { MemberContext } from '../member_context.ts'

type Page = { step: SettingsStep; label: () => string; isOwnerOnly?: true; isOfficeOnly?: true; scope?: Scope }
type Group = { id: string; label: () => string; pages: readonly Page[] }

/** Settings pages by topic, with the members who may see them. */
const GROUPS: readonly Group[] = [
  {
    id: 'you',
    label: () => say`You`,
    pages: [
      { step: '', label: () => say`Your profile` },
      { step: 'sign-ins', label: () => say`Sign-ins` },
      { step: 'notifications', label: () => say`Notifications` },
      { step: 'assistant', label: () => say`Assistant` },
      { step: 'calendar', label: () => say`Calendar`, scope: 'read:jobs' },
    ],
  },
  {
    id: 'company',
    label: () => say`Company`,
    pages: [
      { step: 'company', label: () => say`Company profile`, isOwnerOnly: true },
      { step: 'members', label: () => say`Members`, isOwnerOnly: true },
      { step: 'rates', label: () => say`Labor rates`, isOwnerOnly: true },
      { step: 'hours', label: () => say`Working hours`, isOfficeOnly: true },
      { step: 'booking', label: () => say`Online booking`, isOfficeOnly: true },
      { step: 'checklists', label: () => say`Checklists`, isOfficeOnly: true },
      { step: 'messages', label: () => say`Messages`, isOwnerOnly: true },
      { step: 'reminders', label: () => say`Reminders`, isOwnerOnly: true },
      { step: 'places', label: () => say`Numbers and mailboxes`, isOwnerOnly: true },
      { step: 'books', label: () => say`Books`, isOwnerOnly: true },
      { step: 'import', label: () => say`Import`, isOfficeOnly: true },
      { step: 'data', label: () => say`Data`, isOwnerOnly: true },
    ],
  },
  {
    id: 'access',
    label: () => say`Access`,
    pages: [
      { step: 'apps', label: () => say`Connected apps` },
      { step: 'keys', label: () => say`API keys` },
      { step: 'clients', label: () => say`OAuth clients`, isOwnerOnly: true },
      { step: 'provider', label: () => say`Sign-in provider`, isOwnerOnly: true },
      { step: 'log', label: () => say`Security log`, isOwnerOnly: true },
    ],
  },
]

export type SettingsStep =
  | ''
  | 'sign-ins'
  | 'notifications'
  | 'assistant'
  | 'calendar'
  | 'apps'
  | 'keys'
  | 'company'
  | 'messages'
  | 'reminders'
  | 'members'
  | 'log'
  | 'rates'
  | 'hours'
  | 'booking'
  | 'checklists'
  | 'clients'
  | 'places'
  | 'provider'
  | 'books'
  | 'import'
  | 'data'

/** Returns the groups with the pages this person may see. */
const groupsFor = ({ session, may }: MemberContext): Group[] =>
  GROUPS.map((group) => ({
    ...group,
    pages: group.pages.filter(
      ({ isOwnerOnly = false, isOfficeOnly = false, scope }) =>
        (scope === undefined || may(scope)) &&
        (!isOwnerOnly || session.role === 'owner') &&
        (!isOfficeOnly || isOffice(session)),
    ),
  })).filter(({ pages }) => pages.length > 0)

const pathOf = ({ path }: MemberContext, step: SettingsStep): string =>
  step === '' ? path('settings') : path('settings', step)

/** Returns the settings pages this person may see, with their URLs. */
export const settingsPages = (context: MemberContext): { label: string; href: string }[] =>
  groupsFor(context).flatMap(({ pages }) =>
    pages.map(({ step, label }) => ({ label: label(), href: pathOf(context, step) })),
  )

/** Draws the settings menu in groups: beside the page, or as a collapsed list above it on a phone. */
export function settingsMenu(context: MemberContext, here: SettingsStep): Html {
  const groups = groupsFor(context)
  const open = groups.flatMap(({ pages }) => pages).find(({ step }) => step === here)
  return html`
<nav class="settings-menu" aria-label="${say`Settings`}"><details>
  <summary class="button">${open?.label() ?? say`Settings`}</summary>
  <div>${groups.map(
    ({ id, label, pages }) => html`
    <p id="settings-${id}">${label()}</p>
    <ul aria-labelledby="settings-${id}">${pages.map(
      ({ step, label }) => html`
      <li><a href="${pathOf(context, step)}"${attribute('aria-current', step === here, 'page')}>${label()}</a></li>`,
    )}
    </ul>`,
  )}
  </div>
</details></nav>`
}
