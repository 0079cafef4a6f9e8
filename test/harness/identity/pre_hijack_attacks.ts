import { registerClient } from '../../../src/identity/credentials/clients/clients.ts'
import { signInByCompany } from '../../../src/identity/providers/company/company_sign_in.ts'
import { signInByProvider } from '../../../src/identity/providers/identities.ts'
import { sql } from '../../../src/platform/db/database.ts'
import { secretOf } from '../messaging/account_mail.ts'
import { CALLBACK } from './consent.ts'
import { addPasskey, signInByPasskey } from './factors.ts'
import { ORIGIN, identity, type Company, type PreHijack } from './pre_hijack.ts'
import { PASSWORD, askConsent, pressConsent, tokensOf, newBrowser, type Browser } from '../web_client.ts'

/** Returns the attacker's credentials and sessions that still open a company of the person. */
type Tries = (company: Company) => Promise<string[]>

/** Prepares an account that the owner of Globex controls. Returns her ways to get back in. */
type Attack = (email: string, hers: Browser) => Promise<Tries>

const openingsOf = async (ways: Readonly<Record<string, () => Promise<boolean>>>): Promise<string[]> => {
  const open = []
  for (const [way, opensIt] of Object.entries(ways)) if (await opensIt()) open.push(way)
  return open
}

/** Checks whether the service still accepts an API key or an app's token. */
const isLetIn = async ({ mailed }: PreHijack, token: string): Promise<boolean> => {
  const { status } = await fetch(mailed.service.url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  return status === 200
}

const connectApp = async ({ mailed, globex }: PreHijack, hers: Browser): Promise<string> => {
  const { id } = await registerClient(mailed.service.database, {
    name: 'Back door',
    redirect_uris: [CALLBACK],
    about: {},
  })
  const { path, verifier } = await askConsent(mailed.service, hers, id, CALLBACK)
  const { location } = await pressConsent(hers, path, 'view', {}, globex.id)
  const back = new URL((await hers.get(location!)).location!)
  const { access_token: token } = await tokensOf(mailed.service, id, back, verifier)
  return token
}

async function leaveSession(scene: PreHijack, hers: Browser): Promise<Tries> {
  const { mailed, globex, opens } = scene
  const made = await hers.post(`/${globex.id}/settings/keys`, { name: 'Back door', expires: '', customers: 'view' })
  const key = /svc_uk_\w{43}/.exec(made.text)![0]
  const token = await connectApp(scene, hers)
  const { authenticator } = await addPasskey(mailed.service, hers)
  return (company) =>
    openingsOf({
      session: () => opens(company, hers),
      key: () => isLetIn(scene, key),
      app: () => isLetIn(scene, token),
      passkey: async () => {
        const browser = newBrowser(mailed.service)
        await signInByPasskey(mailed.service, browser, authenticator)
        return opens(company, browser)
      },
    })
}

async function leaveIdentity({ mailed, idOf }: PreHijack, email: string): Promise<Tries> {
  const trojan = { ...identity('https://id.example', `hers-${email}`, `hers-${email}`), email: null }
  await mailed.service.database.send([
    sql`insert into identities (issuer, subject, user_id) values (${trojan.issuer}, ${trojan.subject}, ${await idOf(email)})`,
  ])
  return () =>
    openingsOf({
      provider: async () => !('refused' in (await signInByProvider(mailed.service.database, trojan, ORIGIN))),
    })
}

async function leaveAddressChange({ mailed, globex }: PreHijack, email: string, hers: Browser): Promise<Tries> {
  const address = `hers-${email}`
  await hers.post(`/${globex.id}/settings/address`, { address, password: PASSWORD })
  const path = await mailed.pathIn(address)
  return () =>
    openingsOf({
      link: async () => {
        for (const more of [{}, { password: PASSWORD }, { password: PASSWORD, next: 'another long secret' }])
          await hers.post('/prove', { link: secretOf(path), ...more })
        const [answer] = await mailed.service.database.send([sql`select from users where email = ${address}`])
        return answer!.count > 0
      },
    })
}

const tryPassword =
  ({ mailed, opens }: PreHijack, email: string): Tries =>
  (company) =>
    openingsOf({
      password: async () => {
        const browser = newBrowser(mailed.service)
        return (await browser.signIn(email, '/', PASSWORD)).status === 303 && opens(company, browser)
      },
    })

const tryProvider =
  ({ mailed, globex }: PreHijack, email: string): Tries =>
  (company) =>
    openingsOf({
      provider: async () => {
        const claimed = identity('https://id.globex.example', email, email)
        const entered = await signInByCompany(mailed.service.database, globex.id, claimed, ORIGIN)
        if ('refused' in entered || 'pending' in entered) return false
        const { status } = await fetch(`${mailed.service.config.baseUrl}/${company.id}`, {
          headers: { cookie: `callout_session=${entered.secret}; __Host-callout_session=${entered.secret}` },
          redirect: 'manual',
        })
        return status === 200
      },
    })

/** Returns the attacks by name. The companies open only when the tests start. */
export const attacksOn = (scene: () => PreHijack): Readonly<Record<string, Attack>> => ({
  'classic-federated merge': async (email) => tryPassword(scene(), email),
  'unexpired session': (_, hers) => leaveSession(scene(), hers),
  'trojan identifier': (email) => leaveIdentity(scene(), email),
  'unexpired email change': (email, hers) => leaveAddressChange(scene(), email, hers),
  'non-verifying provider': async (email) => tryProvider(scene(), email),
})
