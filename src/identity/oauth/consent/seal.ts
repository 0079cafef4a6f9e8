import { createHmac } from 'node:crypto'
import type { AppPolicyDecision } from '../../apps/app_policy_decision.ts'
import type { AnySession } from '../../sign_in/sessions.ts'
import type { Interaction, Offer } from '../port.ts'
import { say } from '../../../platform/i18n/say.ts'

/** Content that a consent screen's seal covers: client, user, company, areas, and the policy's verdict. */
type ConsentView = { interaction: Interaction; session: AnySession; offer: Offer; policyDecision: AppPolicyDecision }

/**
 * Computes an HMAC of the screen, so that a decision is valid only for what was shown: the form sends it back, and it
 * must match what would be shown now. The key is the browser's cookie, which no page and no other browser can read.
 */
export const sealOf = (
  browser: string,
  { interaction: { id, client, redirect }, session: { user }, offer: { tenant, areas }, policyDecision }: ConsentView,
): string =>
  createHmac('sha256', browser)
    .update(
      JSON.stringify([
        id,
        { ...client, allowed: client.allowed && [...client.allowed].sort() },
        redirect,
        user.id,
        tenant,
        areas,
        policyDecision,
      ]),
    )
    .digest('base64url')

/** Returns why a decision is not accepted: the offer changed after the screen was rendered. */
export function findRejectionReason(
  form: URLSearchParams,
  { session: { user }, offer }: { session: AnySession; offer: Offer | undefined },
): string {
  const [person, company] = [form.get('person'), form.get('company')]
  if (person !== null && person !== user.id)
    return say`This was meant for someone else. You are signed in as ${user.name} now, so please choose again.`
  if (company !== null && company !== offer?.tenant.id)
    return say`You no longer belong to the company that you were connecting.`
  return say`Your permissions or the app’s request changed since this page was shown.`
}
