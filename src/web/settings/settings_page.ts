import { isOffice } from '../../identity/permissions/areas.ts'
import { pageResponse } from '../../platform/http/answer.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { requireAllowed, type MemberContext } from '../member_context.ts'
import { statusOf } from '../faults.ts'
import { frame } from '../frame.ts'
import { requireRecent } from '../sign_in/recent.ts'
import type { Site } from '../site.ts'
import { settingsMenu, type SettingsStep } from './menu.ts'
import { refusalNotice } from '../refusal_notice.ts'

/** Returns the context of an owner. Answers 404 to others. */
export const requireOwner = (site: Site, request: PageRequest): Promise<MemberContext> =>
  requireAllowed(site, request, isOwner)

/** Returns the context of an owner who recently authenticated (requireRecent). */
export async function requireRecentOwner(site: Site, request: PageRequest): Promise<MemberContext> {
  const context = await requireOwner(site, request)
  await requireRecent(site, request, context.session)
  return context
}

/** Returns the context of an owner or office member. Answers 404 to others. */
export const requireOfficeMember = (site: Site, request: PageRequest): Promise<MemberContext> =>
  requireAllowed(site, request, ({ session }) => isOffice(session))

export const isOwner = ({ session }: MemberContext): boolean => session.role === 'owner'

const STYLES: Partial<Record<SettingsStep, readonly string[]>> = {
  '': ['areas.css', 'factors.css'],
  apps: ['areas.css'],
  keys: ['areas.css'],
  members: ['areas.css'],
  clients: ['areas.css'],
  import: ['areas.css'],
  booking: ['booking.css'],
  hours: ['calls.css', 'home.css'],
  messages: ['sending.css'],
  reminders: ['sending.css'],
}

const SCRIPTS: Partial<Record<SettingsStep, readonly string[]>> = {
  '': ['passkey.js'],
  notifications: ['notifications.js'],
}

/** Draws a settings page with the menu. `refusal` is shown at the top and sets the status. */
export const settingsPage = (
  context: MemberContext,
  step: SettingsStep,
  title: string,
  body: Html,
  refusal?: Refusal,
  refreshes?: number,
): Response =>
  pageResponse(
    frame(context, {
      title,
      here: context.path('settings'),
      ...(refreshes === undefined ? {} : { refreshes }),
      styles: ['settings.css', ...(STYLES[step] ?? [])],
      scripts: ['copy.js', ...(SCRIPTS[step] ?? [])],
      body: html`
<header class="page-head"><h1>${say`Settings`}</h1></header>
<div class="settings">${settingsMenu(context, step)}
<div class="settings-page">${when(refusal, refusalNotice)}
${body}
</div></div>`,
    }),
    { status: refusal === undefined ? 200 : statusOf(refusal) },
  )

export const settingsPath = (context: MemberContext, step: string): string =>
  step === '' ? context.path('settings') : context.path('settings', step)

/**
 * Runs work that may be refused, and shows the page again with the refusal. A person who lost the right after the page
 * was drawn, or during the work, gets 404 like anyone without it.
 */
export async function catchRefusal(
  work: () => Promise<Response>,
  onRefusal: (refusal: Refusal) => Promise<Response> | Response,
): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return onRefusal(error)
  }
}
