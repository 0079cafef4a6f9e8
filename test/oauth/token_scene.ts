import type { JWTPayload } from 'jose'
import {
  obtainTokens,
  registerPublicClient,
  startAuthorizing,
  type Deciding,
} from '../harness/identity/authorization.ts'
import { makeCompany } from '../harness/harness.ts'

/** Starts a service with a client that an owner approved, and returns its access token's claims. */
export async function openTokenScene() {
  const service = await startAuthorizing()
  const company = await makeCompany(service)
  const client = await registerPublicClient(service)
  const owner: Deciding = { user: company.owner.id, tenant: company.tenant }
  const { access_token } = await obtainTokens(service, client, owner)
  const claims = JSON.parse(Buffer.from(access_token.split('.')[1]!, 'base64url').toString()) as JWTPayload
  return { service, client, owner, claims }
}
