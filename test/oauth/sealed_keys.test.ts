import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { openDataKeys } from '../../src/identity/data_keys.ts'
import { ownKeys } from '../../src/identity/credentials/tokens/jwks.ts'
import { unsealKey, sealSigningKeys, type StoredKey } from '../../src/identity/credentials/tokens/sealed_keys.ts'
import {
  canSign,
  listSigningKeys,
  openKeyring,
  rotateSigningKey,
  signerOf,
} from '../../src/identity/credentials/tokens/signing_keys.ts'
import { tokenVerifier } from '../../src/identity/credentials/tokens/tokens.ts'
import { sealKeyId } from '../../src/identity/sealing.ts'
import { dataKeyFinding } from '../../src/cli/doctor/doctor_data_key.ts'
import { sql } from '../../src/platform/db/database.ts'
import {
  ISSUER,
  RESOURCE,
  obtainTokens,
  callTool,
  registerPublicClient,
  startAuthorizing,
  type AuthorizingService,
  type Deciding,
} from '../harness/identity/authorization.ts'
import { makeCompany } from '../harness/harness.ts'

const keysOf = (filled: number, previous: Buffer | null = null) =>
  openDataKeys({ current: Buffer.alloc(32, filled), previous, file: null })
const none = openDataKeys({ current: null, previous: null, file: null })
const [KEY, OTHER] = [keysOf(1), keysOf(9)]

let service: AuthorizingService
let client: string
let owner: Deciding
let token: string
before(async () => {
  service = await startAuthorizing({ DATA_KEY: Buffer.alloc(32, 1).toString('base64') })
  const company = await makeCompany(service)
  client = await registerPublicClient(service)
  owner = { user: company.owner.id, tenant: company.tenant }
  token = (await obtainTokens(service, client, owner)).access_token
})
after(() => service.stop())

async function readStoredKeys(): Promise<StoredKey[]> {
  const [answer] = await service.database.send([sql`select kid, jwk, sealed from signing_keys order by created_at`])
  return answer!.rows as StoredKey[]
}

/** Restores a key as it was before keys were encrypted. */
const inClear = (key: StoredKey) =>
  service.database.send([
    sql`update signing_keys set jwk = ${JSON.stringify(unsealKey(KEY, key))}::jsonb, sealed = null where kid = ${key.kid}`,
  ])

const finding = (filled: number, previous: Buffer | null = null) =>
  dataKeyFinding(service.owner, { dataKey: { current: Buffer.alloc(32, filled), previous, file: null } })

/** Checks whether a process with these data keys accepts a token. */
const counts = async (access: string, dataKeys = KEY): Promise<boolean> => {
  const keys = ownKeys(openKeyring(service.database, dataKeys))
  const verify = tokenVerifier({ issuer: ISSUER, audience: RESOURCE, keys })
  return 'sid' in ((await verify(access)) as object)
}

describe('a signing key', () => {
  let only: StoredKey
  beforeEach(async () => {
    const [first, ...others] = await readStoredKeys()
    only = first!
    await service.database.send([
      ...others.map(({ kid }) => sql`delete from signing_keys where kid = ${kid}`),
      sql`update signing_keys set signs_from = moment() - interval '1 minute'`,
    ])
  })

  it('is encrypted from the start and its tokens are accepted', async () => {
    assert.equal(only.jwk.d, undefined)
    assert.equal(sealKeyId(only.sealed!), KEY.sealingKey()!.id)
    const d = unsealKey(KEY, only).d!
    const [everything] = await service.database.send([sql`select signing_keys::text as row from signing_keys`])
    assert.ok(!JSON.stringify(everything!.rows).includes(d))
    assert.ok(!JSON.stringify(everything!.rows).includes(Buffer.from(d, 'base64url').toString('hex')))
    assert.equal((await callTool(service, token)).status, 200)
    assert.match((await finding(1)).says, /is available; 1 secret is encrypted with it/)
  })

  it('stored in clear is encrypted when the service first reads it, and keeps signing', async () => {
    await inClear(only)
    const whole = unsealKey(KEY, only)
    assert.deepEqual(await finding(1), {
      check: 'data key',
      ok: false,
      says: '1 secret is not encrypted',
      mend: 'Run: callout data-key seal',
    })
    const [signer, another] = await openKeyring(service.database, KEY).keys()
    assert.equal(another, undefined)
    assert.deepEqual(signer!.jwk, whole)
    const [now] = await readStoredKeys()
    assert.deepEqual([now!.jwk.d, sealKeyId(now!.sealed!)], [undefined, KEY.sealingKey()!.id])
    assert.deepEqual(unsealKey(KEY, now!), whole)
    assert.equal(await counts(token), true)
  })

  it('stays in clear without a data key, and can sign', async () => {
    await inClear(only)
    assert.deepEqual(await sealSigningKeys(service.database, none), { sealed: 0, before: 0, unopened: 0 })
    const keys = await openKeyring(service.database, none).keys()
    assert.deepEqual(keys.map(canSign), [true])
    const made = await rotateSigningKey(service.database, none)
    assert.equal((await readStoredKeys()).find(({ kid }) => kid === made.kid)!.sealed, null)
    assert.deepEqual(await sealSigningKeys(service.database, KEY), { sealed: 2, before: 0, unopened: 0 })
    assert.deepEqual(await sealSigningKeys(service.database, KEY), { sealed: 0, before: 2, unopened: 0 })
  })

  it('is replaced at once when its data key is lost, and its tokens stay valid', async () => {
    assert.equal((await finding(9)).ok, false)
    const keys = await openKeyring(service.database, OTHER).keys()
    assert.deepEqual(keys.map(canSign), [true, false])
    assert.equal(signerOf(keys), keys[0])
    assert.ok(Date.parse(keys[0]!.signs_from) <= Date.now() + 1_000)
    assert.equal(await counts(token, OTHER), true)
    assert.equal((await openKeyring(service.database, OTHER).keys()).length, 2, 'one is enough')
    assert.deepEqual(await sealSigningKeys(service.database, OTHER), { sealed: 0, before: 1, unopened: 1 })
  })

  it('is encrypted again after a data key change, and only the new key decrypts it', async () => {
    const changed = keysOf(9, Buffer.alloc(32, 1))
    assert.match((await finding(9, Buffer.alloc(32, 1))).says, /encrypted with an earlier key, which is available/)
    assert.deepEqual(await sealSigningKeys(service.database, changed), { sealed: 1, before: 0, unopened: 0 })
    assert.equal((await listSigningKeys(service.database, OTHER)).every(canSign), true)
    assert.equal((await listSigningKeys(service.database, KEY)).some(canSign), false)
    await sealSigningKeys(service.database, keysOf(1, Buffer.alloc(32, 9)))
  })

  it('can be decrypted only in its own row', async () => {
    const added = await rotateSigningKey(service.database, KEY)
    await service.database.send([
      sql`update signing_keys set sealed = (select sealed from signing_keys where kid = ${only.kid}) where kid = ${added.kid}`,
    ])
    const able = (await listSigningKeys(service.database, KEY)).filter(canSign)
    assert.deepEqual(
      able.map(({ kid }) => kid),
      [only.kid],
    )
  })

  it('still issues tokens after the earlier key changes', async () => {
    const fresh = await obtainTokens(service, client, owner)
    assert.equal((await callTool(service, fresh.access_token)).status, 200)
  })
})
