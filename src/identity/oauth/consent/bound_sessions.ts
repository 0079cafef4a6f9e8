import { findGrant } from '../../credentials/clients/grants.ts'
import { missingSignIn, providerRuleOf } from '../../providers/company/company_rule.ts'
import { isBound, isTwoFactor, type AnySession } from '../../sign_in/sessions.ts'
import type { Database } from '../../../platform/db/tenant.ts'
import { companySignIn, redirect, responseOf, signInAnswer } from '../../../platform/http/answer.ts'
import { message } from '../../../platform/html/message.ts'
import { say } from '../../../platform/i18n/say.ts'
import type { Interaction, Offer } from '../port.ts'

/**
 * Ends a request of whoever is signed in for one company alone, by its own provider, where it is about another: an app
 * that the person connected to another company, or one that another company made. Their own session decides on these.
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

/** Returns the offers that a session may see: of one company alone for one of its own provider. */
export const offersFor = (offers: readonly Offer[], session: AnySession): Offer[] =>
  offers.filter(({ tenant }) => !isBound(session) || tenant.id === session.boundTo)

/**
 * Leads somebody to the own provider of the company that they connect an app to, where the company requires it;
 * undefined where nothing is missing (docs/spec/accounts.md#a-companys-own-provider).
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
  if (missing === 'provider') return redirect(companySignIn(tenant.id, to))
  if (missing === 'factors' && !isTwoFactor(session.methods))
    return redirect(`/confirm?${new URLSearchParams({ second: 'yes', to }).toString()}`)
  return undefined
}

const ownAccountNeeded = (): Response =>
  message({
    title: say`Sign in with your own account`,
    status: 403,
    body: say`You are signed in to one company only, through its provider. Sign in with your own account to connect this app.`,
    next: { label: say`Sign in with your own account`, href: '/sign-in' },
  })
