import { findGrant } from '../../credentials/clients/grants.ts'
import { missingSignIn, providerRuleOf } from '../../providers/company/company_rule.ts'
import { isBound, isTwoFactor, type AnySession } from '../../sign_in/sessions.ts'
import type { Database } from '../../../platform/db/tenant.ts'
import { companySignInPath, redirect, responseOf, signInAnswer } from '../../../platform/http/answer.ts'
import { messageResponse } from '../../../platform/html/message.ts'
import { say } from '../../../platform/i18n/say.ts'
import type { Interaction, Offer } from '../port.ts'

/**
 * Refuses a request in a session of a company's own provider if the user connected the app to another company. Only the
 * user's own session may decide on it.
 */
export async function refuseOtherCompany(
  database: Database,
  interaction: Interaction,
  session: AnySession,
): Promise<Response | undefined> {
  if (!isBound(session)) return undefined
  const grant = await findGrant(database.send, interaction.client.id, session.user.id)
  return grant === undefined || grant.tenant_id === session.boundTo ? undefined : ownAccountNeeded()
}

/** Returns the offers that a session may see. A session of a company's own provider sees only that company. */
export const offersFor = (offers: readonly Offer[], session: AnySession): Offer[] =>
  offers.filter(({ tenant }) => !isBound(session) || tenant.id === session.boundTo)

/**
 * Redirects the user to the company's own provider, if the company they connect an app to requires it; undefined if
 * nothing is missing (docs/spec/accounts.md#a-companys-own-provider).
 */
export async function askCompanyProvider(
  database: Database,
  { session, offer: { tenant, role }, to }: { session: AnySession; offer: Offer; to: string },
): Promise<Response | undefined> {
  const missing = await missingSignIn(database, session, {
    role,
    ownProvider: await providerRuleOf(database, tenant.id),
  })
  if (missing === 'session') return responseOf(signInAnswer(to))
  if (missing === 'provider') return redirect(companySignInPath(tenant.id, to))
  if (missing === 'factors' && !isTwoFactor(session.methods))
    return redirect(`/confirm?${new URLSearchParams({ second: 'yes', to }).toString()}`)
  return undefined
}

const ownAccountNeeded = (): Response =>
  messageResponse({
    title: say`Sign in with your own account`,
    status: 403,
    body: say`You are signed in to one company only, through its provider. Sign in with your own account to connect this app.`,
    next: { label: say`Sign in with your own account`, href: '/sign-in' },
  })
