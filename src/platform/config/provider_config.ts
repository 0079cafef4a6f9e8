import { ConfigError, address, text, type Environment } from './environment.ts'

/** OpenID provider that people can sign in with. `name` is the text on the button. */
export type ProviderConfig = { issuer: string; clientId: string; clientSecret: string | null; name: string }

const LOOPBACK = /^http:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::|\/|$)/

/** Reads the provider of the installation; null: not configured. */
export function identityProvider(env: Environment): ProviderConfig | null {
  const [given, clientId] = [text(env, 'OIDC_ISSUER'), text(env, 'OIDC_CLIENT_ID')]
  if (given === undefined && clientId === undefined) return null
  if (given === undefined || clientId === undefined)
    throw new ConfigError(
      `${given === undefined ? 'OIDC_ISSUER' : 'OIDC_CLIENT_ID'} is missing: the provider and our name there go together`,
    )
  const issuer = address(env, 'OIDC_ISSUER', '')
  if (!issuer.startsWith('https:') && !LOOPBACK.test(issuer))
    throw new ConfigError(`OIDC_ISSUER must be an https address (got '${issuer}')`)
  const name = text(env, 'OIDC_NAME') ?? new URL(issuer).hostname
  if (name.length > 40) throw new ConfigError('OIDC_NAME must have at most 40 characters')
  return { issuer, clientId, clientSecret: text(env, 'OIDC_CLIENT_SECRET') ?? null, name }
}
