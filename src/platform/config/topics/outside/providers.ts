import { LOOPBACK, address, text } from '../../parsers.ts'
import { ConfigError, setting, topic } from '../../setting.ts'

/** OpenID provider that people can sign in with. `name` is the text on the button. */
type ProviderConfig = { issuer: string; clientId: string; clientSecret: string | null; name: string }

const missingMessage = (name: string): string => `${name} is missing: set OIDC_ISSUER and OIDC_CLIENT_ID together`

const issuer = setting('OIDC_ISSUER', {
  parse: secureAddress,
  default: null,
  requires: { OIDC_CLIENT_ID: missingMessage('OIDC_CLIENT_ID') },
  about: 'OpenID provider that people can sign in with, besides their password.',
  more:
    'It is trusted with every account of the installation: ' +
    'anyone with a verified address there gets the account with that address here. ' +
    'Register `{BASE_URL}/sign-in/provider/callback` there as the redirect URI.',
})

export const providers = topic(
  'Sign-in',
  {
    issuer,
    clientId: setting('OIDC_CLIENT_ID', {
      parse: text,
      default: null,
      requires: { OIDC_ISSUER: missingMessage('OIDC_ISSUER') },
      about: "Callout's client ID at that provider.",
    }),
    clientSecret: setting('OIDC_CLIENT_SECRET', {
      parse: text,
      default: null,
      isSecret: true,
      ignoredWithout: 'OIDC_ISSUER',
      about: "Callout's client secret at that provider; none for a public client.",
    }),
    name: setting('OIDC_NAME', {
      parse: buttonText,
      defaultFrom: (env) => buttonText(URL.parse(issuer.read(env) ?? '')?.hostname ?? '', 'OIDC_NAME'),
      defaultText: 'host name of OIDC_ISSUER',
      ignoredWithout: 'OIDC_ISSUER',
      about: 'Text on the sign-in button, at most 40 characters.',
    }),
  },
  ({ issuer, clientId, ...rest }): { identityProvider: ProviderConfig | null } => ({
    identityProvider: issuer === null || clientId === null ? null : { issuer, clientId, ...rest },
  }),
)

function secureAddress(value: string, name: string): string {
  const url = address(value, name)
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'https:' && !LOOPBACK.test(hostname))
    throw new ConfigError(`${name} must be an https address (got '${url}')`)
  return url
}

function buttonText(value: string, name: string): string {
  if (value.length > 40) throw new ConfigError(`${name} must have at most 40 characters`)
  return value
}
