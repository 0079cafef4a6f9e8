import { isStale } from '../../access/rights/rights.ts'
import { answer } from '../../html/answer.ts'
import { html, when, type Html } from '../../html/html.ts'
import { notice } from '../../html/notice.ts'
import type { Visit } from '../../html/visit.ts'
import { Refusal } from '../../refusal.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { statusOf } from '../faults.ts'
import { frame } from '../frame.ts'
import { noPage } from '../not_here.ts'
import type { Site } from '../site.ts'

/** Lists the pages of the settings, and who sees them. */
const TABS: readonly { step: string; label: string; isOwners: boolean; isOffices?: true }[] = [
  { step: '', label: 'You', isOwners: false },
  { step: 'apps', label: 'Connected apps', isOwners: false },
  { step: 'keys', label: 'API keys', isOwners: false },
  { step: 'company', label: 'Company', isOwners: true },
  { step: 'messages', label: 'Messages', isOwners: true },
  { step: 'reminders', label: 'Reminders', isOwners: true },
  { step: 'members', label: 'Members', isOwners: true },
  { step: 'hours', label: 'Working hours', isOwners: false, isOffices: true },
  { step: 'clients', label: 'OAuth clients', isOwners: true },
  { step: 'places', label: 'Numbers and mailboxes', isOwners: true },
]

export type SettingsStep =
  | ''
  | 'apps'
  | 'keys'
  | 'company'
  | 'messages'
  | 'reminders'
  | 'members'
  | 'hours'
  | 'clients'
  | 'places'

/** Returns the context of an owner. For others these pages aren't there. */
export async function requireOwner(site: Site, visit: Visit): Promise<MemberContext> {
  const context = await requireMemberContext(site, visit)
  if (context.visitor.role !== 'owner') throw noPage()
  return context
}

export const isOwner = ({ visitor }: MemberContext): boolean => visitor.role === 'owner'

/** Tells whether somebody plans the company's work: its owners and its office. */
export const isOffice = ({ visitor }: MemberContext): boolean => visitor.role !== 'tech'

const STYLES: Partial<Record<SettingsStep, string>> = {
  hours: 'calls.css',
  messages: 'sending.css',
  reminders: 'sending.css',
}

/** Draws a page of the settings, beside the others. `refusal` is shown above it, and sets the status. */
export const settingsPage = (
  context: MemberContext,
  step: SettingsStep,
  title: string,
  body: Html,
  refusal?: Refusal,
): Response =>
  answer(
    frame(context, {
      title,
      here: context.path('settings'),
      styles: [STYLES[step] ?? 'areas.css'],
      scripts: ['form.js', 'copy.js'],
      body: html`
<header class="page-head"><h1>Settings</h1></header>
<nav class="tabs" aria-label="Settings"><ul>${TABS.filter(
        ({ isOwners, isOffices = false }) => (!isOwners || isOwner(context)) && (!isOffices || isOffice(context)),
      ).map(
        (tab) => html`
  <li><a href="${pathOf(context, tab.step)}"${when(tab.step === step, () => html` aria-current="page"`)}>${tab.label}</a></li>`,
      )}
</ul></nav>${when(refusal, (refusal) => notice({ kind: 'error', title: "That didn't work", body: refusal.message }))}
${body}`,
    }),
    { status: refusal === undefined ? 200 : statusOf(refusal) },
  )

export const pathOf = (context: MemberContext, step: string): string =>
  step === '' ? context.path('settings') : context.path('settings', step)

/**
 * Does something that may be refused, and shows the page again with the refusal. Somebody who lost the right since the
 * page was drawn, or while it was done, is answered as everybody without it: there is no such page.
 */
export async function attempting(
  work: () => Promise<Response>,
  refused: (refusal: Refusal) => Promise<Response> | Response,
): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (isStale(error)) throw noPage()
    if (!(error instanceof Refusal)) throw error
    return refused(error)
  }
}
