import type { TestService } from '../test/harness/harness.ts'
import { askConsent, hiddenFieldsOf, tokensOf, newBrowser } from '../test/harness/web_client.ts'

const CALLBACK = 'http://127.0.0.1:33418/callback'

/** Registers a client, which this person grants all their rights. Returns the client and its tokens. */
export async function authorizeClient(service: TestService, email: string, more: Record<string, string> = {}) {
  const client = await register(service.config.authUrl)
  const browser = newBrowser(service)
  const { path, verifier } = await askConsent(service, browser, client, CALLBACK, more)
  await browser.signIn(email, path)
  const { text } = await browser.get(`${path}&all=most`)
  const levels = Object.fromEntries(
    [...text.matchAll(/name="(\w+)" value="(\w+)" checked/g)].map(([, name, value]) => [name!, value!]),
  )
  const resumed = await browser.post('/oauth/consent', { ...hiddenFieldsOf(text), decision: 'approve', ...levels })
  const { location } = await browser.get(resumed.location!)
  return { client, tokens: await tokensOf(service, client, new URL(location!), verifier) }
}

async function register(issuer: string): Promise<string> {
  const response = await fetch(`${issuer}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Bench', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' }),
  })
  return ((await response.json()) as { client_id: string }).client_id
}
