import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, beforeEach, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openDataKeys } from '../../src/identity/data_keys.ts'
import { sealTotpSecrets, unsealTotpSecret } from '../../src/identity/factors/app_secrets.ts'
import { sealKeyId } from '../../src/identity/sealing.ts'
import { dataKeyFinding } from '../../src/cli/doctor/doctor_data_key.ts'
import { sql } from '../../src/platform/db/database.ts'
import { addressOf } from '../harness/address.ts'
import { forgetSteps, setUpApp } from '../harness/identity/factors.ts'
import type { TestService } from '../harness/harness.ts'
import { createCompany, startSite, newBrowser } from '../harness/web_client.ts'

const program = fileURLToPath(new URL('../../bin/callout', import.meta.url))

const keyOf = (filled: number) => ({ current: Buffer.alloc(32, filled), previous: null, file: null })

let service: TestService
let north: Awaited<ReturnType<typeof createCompany>>
before(async () => {
  service = await startSite({ DATA_KEY: Buffer.alloc(32, 1).toString('base64') })
  north = await createCompany(service, 'Northside Heating')
})
after(() => service.stop())
beforeEach(() => service.database.send([sql`delete from attempts`, sql`delete from totp_secrets`]))

/** Returns a new member with an authenticator app, and a function that signs in with a code. */
async function somebody() {
  const member = await north.hire('office')
  const browser = newBrowser(service)
  await browser.signIn(member.email)
  const app = await setUpApp(browser)
  await forgetSteps(service)
  const enter = async (code: string) => {
    const waiting = newBrowser(service)
    await waiting.signIn(member.email)
    return waiting.post('/sign-in/second', { code, to: '/' })
  }
  return { ...member, ...app, browser, enter }
}

async function readSecret(user: string): Promise<Buffer> {
  const [answer] = await service.database.send([sql`select secret from totp_secrets where user_id = ${user}`])
  return answer!.rows[0]!['secret'] as Buffer
}

const keep = (user: string, secret: Buffer) =>
  service.database.send([sql`update totp_secrets set secret = ${secret}, last_step = 0 where user_id = ${user}`])

const present = () => openDataKeys(service.config.dataKey).sealingKey()!.id

const finding = (dataKey = service.config.dataKey) => dataKeyFinding(service.owner, { dataKey })

/** Returns the unencrypted secret, as it was stored before data keys existed. */
const inClear = async (user: string): Promise<Buffer> =>
  unsealTotpSecret(openDataKeys(service.config.dataKey), user, await readSecret(user))!

describe("an authenticator app's secret", () => {
  it('is encrypted from the start', async () => {
    const { user_id, code, enter } = await somebody()
    assert.equal(sealKeyId(await readSecret(user_id)), present())
    assert.ok(!(await readSecret(user_id)).includes(await inClear(user_id)))
    assert.equal((await enter(code())).status, 303)
    assert.deepEqual(await finding(), {
      check: 'data key',
      ok: true,
      says: `${present()} is available; 1 secret is encrypted with it`,
    })
  })

  it('is encrypted on the next accepted code when it was stored in clear', async () => {
    const { user_id, code, enter } = await somebody()
    const secret = await inClear(user_id)
    await keep(user_id, secret)
    assert.match((await finding()).says, /^1 secret is not encrypted$/)
    assert.equal((await enter('000000')).status === 303, false)
    assert.deepEqual(await readSecret(user_id), secret, 'a wrong code changes nothing')
    assert.equal((await enter(code())).status, 303)
    assert.equal(sealKeyId(await readSecret(user_id)), present())
    assert.deepEqual(await inClear(user_id), secret)
  })

  it("doesn't work when it was encrypted for another user", async () => {
    const [one, other] = [await somebody(), await somebody()]
    await keep(one.user_id, await readSecret(other.user_id))
    assert.equal((await one.enter(other.code())).status, 422)
    assert.equal((await other.enter(other.code())).status, 303)
  })
})

describe('without the data key', () => {
  const lost = openDataKeys(keyOf(9))

  it('an authenticator code is rejected with the reason on every page, and recovery codes still work', async () => {
    const { user_id, code, codes, enter, browser } = await somebody()
    const secret = await inClear(user_id)
    await keep(user_id, secret)
    assert.deepEqual(await sealTotpSecrets(service.database, lost), { sealed: 1, before: 0, unopened: 0 })
    for (let i = 0; i < 11; i++) assert.equal((await enter(code())).status, 422, 'it counts as no try')
    const refused = await enter(code())
    assert.match(refused.text, /The key that encrypts its secret is missing here/)
    const confirming = await browser.post('/confirm', { code: code(), second: '', to: '/' })
    assert.equal(confirming.status, 422)
    assert.match(confirming.text, /The key that encrypts its secret is missing here/)
    assert.equal((await enter(codes[0]!)).status, 303)
    const { ok, says } = await finding()
    assert.deepEqual([ok, says.includes(lost.sealingKey()!.id)], [false, true])
    assert.deepEqual(await sealTotpSecrets(service.database, openDataKeys(service.config.dataKey)), {
      sealed: 0,
      before: 0,
      unopened: 1,
    })
  })

  it('an authenticator app works again once the key is restored and rotated', async () => {
    const { user_id, code, enter } = await somebody()
    const old = openDataKeys({ ...keyOf(9), previous: service.config.dataKey.current })
    assert.deepEqual(await sealTotpSecrets(service.database, old), { sealed: 1, before: 0, unopened: 0 })
    const back = { ...service.config.dataKey, previous: Buffer.alloc(32, 9) }
    assert.match((await finding(back)).says, /^1 secret is encrypted with an earlier key, which is available/)
    assert.deepEqual(await sealTotpSecrets(service.database, openDataKeys(back)), { sealed: 1, before: 0, unopened: 0 })
    assert.deepEqual(await sealTotpSecrets(service.database, openDataKeys(back)), { sealed: 0, before: 1, unopened: 0 })
    assert.equal(sealKeyId(await readSecret(user_id)), present())
    assert.equal((await enter(code())).status, 303)
  })
})

describe('callout data-key seal', () => {
  const callout = (env: Record<string, string>): Promise<{ code: number; out: string; err: string }> =>
    new Promise((resolve) => {
      const all = { PATH: process.env['PATH'], DATABASE_URL: addressOf(service.owner), ...env }
      execFile(process.execPath, [program, 'data-key', 'seal'], { env: all }, (error, out, err) =>
        resolve({ code: Number(error?.code ?? 0), out, err }),
      )
    })
  const inBase64 = (filled: number): string => Buffer.alloc(32, filled).toString('base64')

  it("encrypts cleartext secrets and reports those it can't decrypt", async () => {
    const { user_id } = await somebody()
    await keep(user_id, await inClear(user_id))
    const sealed = await callout({ DATA_KEY: inBase64(1) })
    assert.deepEqual(sealed, { code: 0, out: `Key ${present()}: 1 encrypted, 0 already encrypted\n`, err: '' })
    assert.equal(sealKeyId(await readSecret(user_id)), present())
    const other = await callout({ DATA_KEY: inBase64(9) })
    assert.equal(other.code, 1)
    assert.match(other.out, /0 encrypted, 0 already encrypted; no key here decrypts 1/)
  })

  it('requires a valid DATA_KEY with an external database and never prints an invalid one', async () => {
    const none = await callout({})
    assert.deepEqual([none.code, none.out], [1, ''])
    assert.match(none.err, /DATA_KEY must be set if DATABASE_URL is/)
    const short = await callout({ DATA_KEY: 'c2hvcnQ=' })
    assert.deepEqual([short.code, short.err.includes('c2hvcnQ=')], [2, false])
    assert.match(short.err, /DATA_KEY must be 32 bytes in base64/)
    const alone = await callout({ DATA_KEY_PREVIOUS: inBase64(1) })
    assert.match(alone.err, /DATA_KEY_PREVIOUS needs DATA_KEY/)
  })
})
