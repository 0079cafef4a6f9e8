import { isAllowed, evaluateAppPolicy, metadataHost, type RequestedScopes } from '../apps/app_policy_decision.ts'
import { requestApp } from '../apps/requests.ts'
import { senderReader } from '../addresses.ts'
import { takeAttempt } from '../sign_in/attempts.ts'
import { alignAuthorizations, findGrant, isApprovedAs, type Grant } from '../credentials/clients/grants.ts'
import { membershipIn, membershipsOf } from '../people/memberships.ts'
import { expandScopes } from '../permissions/scopes.ts'
import type { Database } from '../../platform/db/tenant.ts'
import { notFound } from '../../platform/errors/refusal.ts'
import { browserCookie } from './browser.ts'
import { scopesToGrant, scopesToPropose, offerOf, activeScopes } from './consent/terms.ts'
import { openDocuments } from './clients/documents.ts'
import { openEndpoints } from './endpoints.ts'
import { documentFetcher } from './clients/fetch_document.ts'
import { recordDecision, loadInteraction, type ConsentDecision } from './interactions.ts'
import { clientFinder, type OAuthClient } from './clients/find_client.ts'
import { LIMITS } from './limits.ts'
import type { AuthorizationServerOptions } from './options.ts'
import type { AuthorizationServer, Consent, Interaction } from './port.ts'

export function openAuthorizationServer(options: AuthorizationServerOptions): AuthorizationServer {
  const { config, database, fetchDocument = documentFetcher(), limits = LIMITS } = options
  const cookie = browserCookie(config.baseUrl)
  const mayLookUp = async (sender: string): Promise<boolean> =>
    (await takeAttempt(database, [{ subject: `client metadata document ${sender}`, max: limits.documents }])) === 0
  const findClient = clientFinder(openDocuments(fetchDocument, mayLookUp))
  const browsers = new WeakMap<Interaction, { hash: Buffer; client: OAuthClient }>()

  async function resumeRequest(interaction: Interaction, decision: ConsentDecision): Promise<string> {
    const browser = browsers.get(interaction)
    if (browser === undefined) throw notFound('authorization request')
    const token = await recordDecision(database, browser.client, interaction.id, browser.hash, decision)
    return `${config.authUrl}/oauth/authorize/${encodeURIComponent(interaction.id)}?resume=${token}`
  }

  return {
    browserCookieName: cookie.name,
    handle: openEndpoints({ ...options, limits, cookie, findClient, senderOf: senderReader(config.trustedProxies) }),
    load: async (authorizationId, browserCookie) => {
      const hash = cookie.hashOf(browserCookie)
      if (hash === null) return null
      const loaded = await loadInteraction(database, findClient, authorizationId, hash)
      if (loaded === null) return null
      browsers.set(loaded.interaction, { hash, client: loaded.client })
      return loaded.interaction
    },
    offers: async ({ client }, user) =>
      (await membershipsOf(database, user))
        .filter(({ company }) => isAvailableTo(client, company.id))
        .map((membership) => offerOf(membership, client.allowed)),
    renew: async (interaction, user, { isBound = false } = {}) => {
      const grant = await findRenewableGrant(database, interaction, user, isBound)
      if (grant === null) return null
      const { tenant_id: tenant, scopes, proposes } = grant
      return resumeRequest(interaction, { user, tenant, scopes, proposes, isPrompted: false, isBound })
    },
    approve: async (interaction, consent) => {
      const { user, tenant, isBound = false } = consent
      const scopes = await scopesFor(database, interaction, consent)
      return resumeRequest(interaction, { user, tenant, ...scopes, isPrompted: true, isBound })
    },
    requestApproval: async (interaction, consent) => {
      const { client, redirect } = interaction
      const requested = await scopesFor(database, interaction, consent)
      const request = { app: client, host: metadataHost(client) ?? redirect.host, requested }
      await requestApp(database, consent.tenant, request, consent.user)
    },
    deny: (interaction) => resumeRequest(interaction, 'denied'),
    grantChanged: async (client, user) => {
      const grant = await findGrant(database.send, client, user)
      await database.send(await alignAuthorizations(database.send, client, user, grant))
    },
    claims: async (client, user) => {
      const grant = await findGrant(database.send, client, user)
      const membership = grant === undefined ? null : await membershipIn(database, grant.tenant_id, user)
      if (grant === undefined || membership === null) return null
      return { tenant_id: grant.tenant_id, scopes: grant.scopes, role: membership.role }
    },
  }
}

/** Returns a grant that is still valid as approved, so that the user isn't asked again; null otherwise. */
async function findRenewableGrant(
  database: Database,
  { client, mustPrompt }: Interaction,
  user: string,
  isBound: boolean,
): Promise<Grant | null> {
  if (mustPrompt) return null
  const grant = await findGrant(database.send, client.id, user)
  const membership = grant === undefined ? null : await membershipIn(database, grant.tenant_id, user)
  if (grant === undefined || membership === null || !isAvailableTo(client, grant.tenant_id)) return null
  if (activeScopes(expandScopes(grant.scopes), membership, client.allowed).size === 0) return null
  if (!(await isApprovedAs(database.send, client.id, user, isBound))) return null
  return isAllowed(await evaluateAppPolicy(database, grant.tenant_id, client, user), grant) ? grant : null
}

async function scopesFor(
  database: Database,
  { client }: Interaction,
  { user, tenant, areas }: Consent,
): Promise<RequestedScopes> {
  const membership = await membershipIn(database, tenant, user)
  if (membership === null || !isAvailableTo(client, tenant)) throw notFound('member')
  const scopes = scopesToGrant(areas, membership, client.allowed)
  return { scopes, proposes: scopesToPropose(areas, scopes) }
}

/** Checks whether a client can be approved for a company. A client that a company created belongs to it alone. */
const isAvailableTo = ({ company }: Interaction['client'], tenant: string): boolean =>
  company === null || company === tenant
