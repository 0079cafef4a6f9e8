import assert from 'node:assert/strict'
import { sql } from '../../../src/platform/db/database.ts'
import { stepAt, totpAt } from '../../../src/identity/sign_in/passwords/totp.ts'
import { newAuthenticator, type Authenticator, type Forgery } from './authenticator.ts'
import type { TestService } from '../harness.ts'
import type { Browser, BrowserResponse } from '../web_client.ts'

/** Requests the passkey options, as the pages' script does. */
export async function askOptions({ config }: TestService, browser: Browser, asked: Record<string, string>) {
  const { status, text } = await browser.send('/passkeys/options', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: config.baseUrl, 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify(asked),
  })
  const options = JSON.parse(text) as {
    challenge: string
    rpId?: string
    user?: { id: string }
    allowCredentials?: { id: string }[]
  }
  return { status, options }
}

/** Adds a passkey to the signed-in account. */
export async function addPasskey(
  service: TestService,
  browser: Browser,
  authenticator: Authenticator = newAuthenticator(service.config.baseUrl),
  forged: Forgery = {},
): Promise<{ authenticator: Authenticator; seen: BrowserResponse }> {
  const { options } = await askOptions(service, browser, { for: 'add' })
  const passkey = authenticator.create(options, forged)
  return { authenticator, seen: await browser.post('/factors/passkeys', { passkey, to: '/factors' }) }
}

/** Signs in with a passkey. */
export async function signInByPasskey(
  service: TestService,
  browser: Browser,
  authenticator: Authenticator,
  forged: Forgery = {},
): Promise<BrowserResponse> {
  const { options } = await askOptions(service, browser, { for: 'sign_in' })
  return browser.post('/sign-in', { passkey: authenticator.use(options, forged), to: '/' })
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Decodes the Base32 secret of an authenticator app (RFC 4648 6). */
export function bytesOf(base32: string): Buffer {
  const bits = base32
    .split('')
    .map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** Starts the setup of an authenticator app for the signed-in account. Returns its code generator. */
export async function beginApp(browser: Browser): Promise<(steps?: number) => string> {
  const begun = await browser.post('/factors/authenticator', { to: '/factors' })
  assert.equal(begun.status, 303, begun.text)
  const page = await browser.get(begun.location!)
  const secret = bytesOf(/<code class="copy">([A-Z2-7 ]+)<\/code>/.exec(page.text)![1]!.replaceAll(' ', ''))
  return (steps = 0) => totpAt(secret, stepAt(Date.now()) + steps)
}

/** Sets up an authenticator app for the signed-in account. Returns its code generator and the recovery codes. */
export async function setUpApp(browser: Browser): Promise<{ code(steps?: number): string; codes: string[] }> {
  const code = await beginApp(browser)
  const confirmed = await browser.post('/factors/authenticator/confirm', { code: code(), to: '/factors' })
  assert.equal(confirmed.status, 200, confirmed.text)
  return { code, codes: confirmed.text.match(/\b[a-z2-9]{4}(?:-[a-z2-9]{4}){5}\b/g) ?? [] }
}

/** Forgets used codes and earlier attempts. */
export const forgetSteps = ({ database }: TestService) =>
  database.send([sql`update totp_secrets set last_step = 0`, sql`delete from attempts`])

/** Backdates every confirmation by that many minutes. */
export const afterMinutes = ({ database }: TestService, minutes: number) =>
  database.send([sql`update sessions set confirmed_at = confirmed_at - make_interval(mins => ${minutes})`])

/** Lists the events of an account, oldest first. */
export async function eventsOf({ database }: TestService, user: string): Promise<string[]> {
  const [answer] = await database.send([sql`select kind from account_events where user_id = ${user} order by id`])
  return answer!.rows.map(({ kind }) => String(kind))
}
