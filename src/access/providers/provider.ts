import {
  ClientError,
  ClientSecretBasic,
  None,
  allowInsecureRequests,
  enableNonRepudiationChecks,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type Configuration,
} from 'openid-client'
import { Unavailable } from '../../refusal.ts'
import { boundedFetch } from './bounded_fetch.ts'

/** Describes an OpenID provider as it is asked; `redirectUri` is where it sends people back. */
export type ProviderSetup = { issuer: string; clientId: string; clientSecret: string | null; redirectUri: string }

/** Holds what a browser is sent away with, to be compared when it comes back. */
export type Departure = { url: string; state: string; nonce: string; verifier: string }

/** Says who somebody is for a provider. `email` is null unless the provider says that it is verified. */
export type ProvidedIdentity = { issuer: string; subject: string; email: string | null; name: string | null }

export type Provider = {
  depart(): Promise<Departure>
  /**
   * Returns who came back by `query`, as the provider sent it; null where the person or the provider said no, or where
   * anything of the answer isn't right. `Unavailable` when the provider can't be reached.
   */
  arrive(query: URLSearchParams, departure: Omit<Departure, 'url'>): Promise<ProvidedIdentity | null>
}

/** Is in milliseconds: so long a provider's addresses are believed. */
const KEPT = 3_600_000

/** Opens the installation's provider. Its addresses are read when they are first needed. */
export function openProvider({ issuer, clientId, clientSecret, redirectUri }: ProviderSetup): Provider {
  let known: { at: number; configuration: Promise<Configuration> } | null = null

  function discovered(): Promise<Configuration> {
    if (known !== null && Date.now() - known.at < KEPT) return known.configuration
    const configuration = discovery(
      new URL(issuer),
      clientId,
      undefined,
      clientSecret === null ? None() : ClientSecretBasic(clientSecret),
      {
        [customFetch]: boundedFetch,
        execute: [enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [allowInsecureRequests] : [])],
      },
    )
    known = { at: Date.now(), configuration }
    configuration.catch(() => (known = null))
    return configuration
  }

  return {
    async depart() {
      const configuration = await discovered().catch(unreachable)
      const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()]
      const url = buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, state, nonce, verifier }
    },
    async arrive(query, { state, nonce, verifier }) {
      const configuration = await discovered().catch(unreachable)
      try {
        const tokens = await authorizationCodeGrant(configuration, new URL(`${redirectUri}?${query.toString()}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const { iss, sub, email, email_verified, name } = tokens.claims()!
        return {
          issuer: iss,
          subject: sub.slice(0, 255),
          email: email_verified === true && typeof email === 'string' ? email.slice(0, 254).toLowerCase() : null,
          name: typeof name === 'string' ? name : null,
        }
      } catch (error) {
        if (isTransport(error)) return unreachable(error)
        return null
      }
    },
  }
}

/** Tells whether the provider wasn't reached or broke, so that trying again may help. */
const isTransport = (error: unknown): boolean =>
  !(error instanceof Error) ||
  error.name === 'TimeoutError' ||
  (error instanceof TypeError && error.message === 'fetch failed') ||
  (error instanceof ClientError && error.code === 'OAUTH_TIMEOUT')

const unreachable = (cause: unknown): never => {
  throw new Unavailable('the sign-in provider does not answer', { seconds: 30, cause })
}
