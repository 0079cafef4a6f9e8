import { publicPart, type SigningKey } from '../credentials/tokens/signing_keys.ts'

export const SCOPES = ['openid', 'email'] as const

/** Only scope of our resource inside the library, which requires one. Clients never see or send it. */
export const RESOURCE_SCOPE = 'callout'

/** Returns the authorization server's metadata (RFC 8414), which also serves OpenID Connect. */
export const serverMetadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  registration_endpoint: `${issuer}/oauth/register`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  jwks_uri: `${issuer}/.well-known/jwks.json`,
  scopes_supported: [...SCOPES],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
  revocation_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
  prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  request_parameter_supported: false,
  request_uri_parameter_supported: false,
  claims_supported: ['sub', 'email', 'email_verified'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['ES256'],
})

/** Returns the protected resource's metadata (RFC 9728). */
export const resourceMetadata = (baseUrl: string, issuer: string) => ({
  resource: `${baseUrl}/api/mcp`,
  authorization_servers: [issuer],
  bearer_methods_supported: ['header'],
  resource_documentation: `${baseUrl}/docs`,
})

/** Returns the published key set (RFC 7517 5). */
export const keySet = (keys: readonly SigningKey[]) => ({ keys: keys.map(publicPart) })
