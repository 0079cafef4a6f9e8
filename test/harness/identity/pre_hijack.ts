import assert from 'node:assert/strict'
import { Client } from 'pg'
import { inviteExisting } from '../../../src/cli/tenant_file/people.ts'
import { addOrInviteMember } from '../../../src/identity/people/invitations/add_or_invite.ts'
import type { ProvidedIdentity } from '../../../src/identity/providers/provider.ts'
import { sql } from '../../../src/platform/db/database.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import { openMailScene, secretOf } from '../messaging/account_mail.ts'
import { PASSWORD, createCompany, newBrowser, type Browser, type BrowserResponse } from '../web_client.ts'

export const ATTACKER_PASSWORD = 'his own long secret'
export const ORIGIN = { address: '192.0.2.7', agent: null }

export type Company = Awaited<ReturnType<typeof createCompany>> & { browser: Browser }

/** Opens two companies. The owner of Globex claims the address of a person who later joins Acme. */
export async function openPreHijack() {
  const mailed = await openMailScene({ NEW_COMPANIES_PER_DAY: '1000' })
  const { database, owner } = mailed.service
  const steps = stepsAt(mailed)
  const acme = await steps.opened('Acme Air')
  const globex = await steps.opened('Globex Plumbing')
  for (const { id, issuer } of [
    { id: globex.id, issuer: 'https://id.globex.example' },
    { id: acme.id, issuer: 'https://id.acme.example' },
  ])
    await database.send([
      sql`select enter_tenant(${id}, null, 0)`,
      sql`insert into company_providers (tenant_id, issuer, client_id, name, version, tried, on_since)
        values (${id}, ${issuer}, 'callout', 'Provider', ${newId()}, '{}', moment())`,
    ])
  return {
    mailed,
    acme,
    globex,
    ...steps,
    add: (email: string) =>
      addOrInviteMember(database, { tenant: acme.id }, { email, role: 'owner', password: 'generated' }),
    /** Returns the link that an import of Acme's file makes for a person with an existing account. */
    fileLink: async (email: string): Promise<string> => {
      const client = new Client(owner)
      await client.connect()
      await client.query("insert into members (tenant_id, user_id, role, ceiling) values ($1, $2, 'office', '{}')", [
        acme.id,
        await steps.idOf(email),
      ])
      const [invited] = await inviteExisting(client, acme.id, [await steps.idOf(email)])
      await client.end()
      return invited!.secret
    },
    /** Makes an account through an invitation of Globex that its owner accepts herself. */
    takeAddress: async (): Promise<{ email: string; hers: Browser }> => {
      const [email, hers] = [`ceo-${++serial}@a.example`, newBrowser(mailed.service)]
      await steps.accept(await steps.handedOut(globex, email), PASSWORD, hers)
      return { email, hers }
    },
  }
}

export type PreHijack = Awaited<ReturnType<typeof openPreHijack>>

let serial = 0

/** Returns the steps of a person on the pages of a site that sends mail. */
function stepsAt(mailed: Awaited<ReturnType<typeof openMailScene>>) {
  return {
    opened: async (name: string): Promise<Company> => {
      const company = await createCompany(mailed.service, name)
      const browser = newBrowser(mailed.service)
      await browser.signIn(company.owner.email)
      return { ...company, browser }
    },
    handedOut: async ({ id, browser }: Company, email: string): Promise<string> => {
      const { text } = await browser.post(`/${id}/settings/members`, { email, name: '', role: 'office', way: 'link' })
      return /invitation=([\w-]{43})/.exec(text)![1]!
    },
    sendInvite: async ({ id, browser }: Company, email: string): Promise<string> => {
      await browser.post(`/${id}/settings/members`, { email, name: '', role: 'owner', way: 'mail' })
      return secretOf(await mailed.pathIn(email))
    },
    accept: (invitation: string, password: string, browser: Browser): Promise<BrowserResponse> =>
      browser.post('/join', { invitation, name: 'Cy Lee', password }),
    opens: async ({ id }: Company, browser: Browser): Promise<boolean> => (await browser.get(`/${id}`)).status === 200,
    signedIn: async (email: string, password: string): Promise<Browser> => {
      const browser = newBrowser(mailed.service)
      const seen = await browser.signIn(email, '/', password)
      assert.equal(seen.status, 303, seen.text)
      return browser
    },
    idOf: async (email: string): Promise<string> =>
      String(
        (await mailed.service.database.send([sql`select id from users where email = ${email}`]))[0]!.rows[0]!['id'],
      ),
  }
}

export const identity = (issuer: string, subject: string, email: string): ProvidedIdentity => ({
  issuer,
  subject,
  email,
  address: email,
  name: 'Cy Lee',
  methods: [],
  unconfirmed: null,
  recognizedAt: null,
})
