import { randomUUID } from 'node:crypto'
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { companyProvider } from '../../../src/identity/providers/company/company_provider.ts'
import { sealKeyId } from '../../../src/identity/sealing.ts'
import { dataKeyFinding } from '../../../src/cli/doctor/doctor_data_key.ts'
import { sql } from '../../../src/platform/db/tenant.ts'
import { addressOf } from '../../harness/address.ts'
import {
  LOOPBACK_NETWORK,
  continueUrl,
  providedCompany,
  startCompanyProvider,
  signInThrough,
  type CompanyProviderServer,
} from '../../harness/identity/company_provider.ts'
import type { TestService } from '../../harness/harness.ts'
import { startSite, newBrowser, type createCompany } from '../../harness/web_client.ts'

const program = fileURLToPath(new URL('../../../bin/callout', import.meta.url))
const inBase64 = (filled: number): string => Buffer.alloc(32, filled).toString('base64')

let provider: CompanyProviderServer
let here: TestService
let company: Awaited<ReturnType<typeof createCompany>>
before(async () => {
  provider = await startCompanyProvider()
  here = await startSite({ DATA_KEY: inBase64(1) }, { network: LOOPBACK_NETWORK })
  company = await providedCompany(here, provider, 'Alder Plumbing')
})
after(async () => {
  await here.stop()
  await provider.stop()
})

const readClientSecret = async (): Promise<Buffer> =>
  (
    await here.database.send([
      sql`select enter_tenant(${company.id}, null, 0)`,
      sql`select client_secret from company_providers`,
    ])
  )[1]!.rows[0]!['client_secret'] as Buffer

const keep = (secret: Buffer) =>
  here.database.send([
    sql`select enter_tenant(${company.id}, null, 0)`,
    sql`update company_providers set client_secret = ${secret}, version = ${randomUUID()}`,
  ])

/** Runs a command on the same database. */
const callout = (
  env: Record<string, string>,
  ...typed: string[]
): Promise<{ code: unknown; out: string; err: string }> =>
  new Promise((resolve) =>
    execFile(
      process.execPath,
      [program, ...typed],
      { env: { PATH: process.env['PATH'], DATABASE_URL: addressOf(here.owner), ...env } },
      (error, out, err) => resolve({ code: error?.code ?? 0, out, err }),
    ),
  )

describe("the client secret of a company's provider", () => {
  it('is encrypted by data-key seal when it was stored in clear, and the data key check reports it', async () => {
    await keep(Buffer.concat([Buffer.of(0), Buffer.from('a secret that is long enough to look like a sealed one')]))
    assert.match((await dataKeyFinding(here.owner, here.config)).says, /1 secret is not encrypted/)
    const { code, out } = await callout({ DATA_KEY: inBase64(1) }, 'data-key', 'seal')
    assert.deepEqual([code, /1 encrypted, 0 already encrypted/.test(out)], [0, true])
    assert.notEqual(sealKeyId(await readClientSecret()), null)
    assert.equal((await dataKeyFinding(here.owner, here.config)).ok, true)
    const browser = newBrowser(here)
    await company.join('tech', { email: 'sealed@example.com' })
    await signInThrough(provider, browser, company.id, { sub: 'x', email: 'sealed@example.com', email_verified: true })
    assert.equal((await browser.get(`/${company.id}`)).status, 200)
    const { authorization } = provider.seen.findLast(({ path }) => path === '/token')!
    assert.match(Buffer.from(authorization!.slice(6), 'base64').toString(), /long\+enough/)
  })

  it("can't be decrypted for another company, whose sign-in returns 503", async () => {
    const secret = await readClientSecret()
    const other = await providedCompany(here, provider, 'Birch Cleaning')
    await here.database.send([
      sql`select enter_tenant(${other.id}, null, 0)`,
      sql`update company_providers set client_secret = ${secret}, version = ${randomUUID()}`,
    ])
    const seen = await newBrowser(here).post(`/${other.id}/sign-in`, {})
    assert.equal(seen.status, 503)
    assert.match(seen.text, /does not answer/)
    assert.match(continueUrl(await newBrowser(here).post(`/${company.id}/sign-in`, {})), /^https:/)
  })
})

describe('callout company-provider', () => {
  it('shows the settings without the secret, turns them off and fails for a company without a provider', async () => {
    const env = { DATA_KEY: inBase64(1) }
    const shown = await callout(env, 'company-provider', 'show', '--tenant', company.id, '--json')
    const { tenant_id, has_secret, issuer } = JSON.parse(shown.out) as Record<string, unknown>
    assert.deepEqual([tenant_id, has_secret, issuer], [company.id, true, provider.issuer])
    const off = await callout(env, 'company-provider', 'off', '--tenant', company.id)
    assert.match(off.out, / is now off for Alder Plumbing\n/)
    assert.equal((await companyProvider(here.database, company.id))!.on_since, null)
    assert.match(
      (await callout(env, 'company-provider', 'off', '--tenant', company.id)).out,
      / is already off for Alder Plumbing\n/,
    )
    const none = await providedCompany(here, provider, 'Cedar Lawns')
    await here.database.send([sql`select enter_tenant(${none.id}, null, 0)`, sql`delete from company_providers`])
    const refused = await callout(env, 'company-provider', 'show', '--tenant', none.id)
    assert.deepEqual([refused.code, refused.out], [1, ''])
    assert.match(refused.err, /provider/)
  })
})
