import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import { makeDatabase, type TestDatabase } from '../../../test/harness/harness.ts'
import { newId } from '../../platform/validation/id.ts'
import { RateLimiter } from './rate_limits.ts'

let test: TestDatabase
before(async () => {
  test = await makeDatabase()
})
after(() => test.drop())

const MINUTE = 60_000
const start = Date.UTC(2027, 2, 1, 9)

/** Counts how many of some simultaneous requests are admitted. */
const countAdmitted = async (
  limiter: RateLimiter,
  credential: string,
  tenant: string,
  requests: number,
): Promise<number> =>
  (await Promise.all(Array.from({ length: requests }, () => limiter.admit(credential, tenant)))).filter(
    (wait) => wait === 0,
  ).length

describe('the rate limit of a one-minute window', () => {
  it('admits exactly the limit across concurrent requests and processes', async () => {
    for (const limit of [1, 7, 10, 99, 250]) {
      const processes = [1, 2, 3].map(
        () => new RateLimiter(test.database, { credential: limit, tenant: 0 }, () => start),
      )
      const [credential, tenant] = [newId(), newId()]
      const counts = await Promise.all(processes.map((limiter) => countAdmitted(limiter, credential, tenant, limit)))
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        limit,
      )
    }
  })

  it('starts over at the next clock minute', async () => {
    let now = start + 59_000
    const processes = [1, 2].map(() => new RateLimiter(test.database, { credential: 5, tenant: 0 }, () => now))
    const [credential, tenant] = [newId(), newId()]
    assert.equal(await countAdmitted(processes[0]!, credential, tenant, 9), 5)
    assert.equal(await processes[1]!.admit(credential, tenant), 1)
    now = start + MINUTE
    assert.equal(await countAdmitted(processes[1]!, credential, tenant, 9), 5)
    assert.equal(await processes[0]!.admit(credential, tenant), 60)
  })

  it('returns the seconds left in the window, from 1 to 60', async () => {
    let now = start
    const limiter = new RateLimiter(test.database, { credential: 1, tenant: 0 }, () => now)
    const [credential, tenant] = [newId(), newId()]
    assert.equal(await limiter.admit(credential, tenant), 0)
    for (const [elapsed, left] of [
      [0, 60],
      [1, 60],
      [1_000, 59],
      [30_500, 30],
      [59_001, 1],
      [59_999, 1],
    ] as const) {
      now = start + elapsed
      assert.equal(await limiter.admit(credential, tenant), left)
    }
  })

  it('makes at most 20 database round trips for 1,000 admitted requests', async () => {
    let trips = 0
    const send: typeof test.database.send = (statements) => {
      trips++
      return test.database.send(statements)
    }
    const limiter = new RateLimiter({ ...test.database, send }, { credential: 1_200, tenant: 6_000 }, () => start)
    assert.equal(await countAdmitted(limiter, newId(), newId(), 1_000), 1_000)
    assert.ok(trips <= 20, `${trips} round trips`)
  })
})

describe('a rate limit of 0', () => {
  it('admits everything without a database request', async () => {
    const send: typeof test.database.send = () => Promise.reject(new Error('asked'))
    const limiter = new RateLimiter({ ...test.database, send }, { credential: 0, tenant: 0 })
    assert.equal(await countAdmitted(limiter, newId(), newId(), 500), 500)
  })
})

describe('a database failure', () => {
  it('rejects every waiting request, and the limit works again afterwards', async () => {
    let isAway = true
    const send: typeof test.database.send = (statements) =>
      isAway ? Promise.reject(new Error('away')) : test.database.send(statements)
    const limiter = new RateLimiter({ ...test.database, send }, { credential: 10, tenant: 0 }, () => start)
    const [credential, tenant] = [newId(), newId()]
    const waiting = await Promise.allSettled(Array.from({ length: 5 }, () => limiter.admit(credential, tenant)))
    assert.deepEqual(
      waiting.map(({ status }) => status),
      Array.from({ length: 5 }, () => 'rejected'),
    )
    isAway = false
    assert.equal(await countAdmitted(limiter, credential, tenant, 20), 10)
  })
})

describe('rate limit properties', () => {
  const burst = fc.record({
    process: fc.nat(2),
    credential: fc.nat(2),
    requests: fc.integer({ min: 1, max: 25 }),
    seconds: fc.nat(45),
  })

  it('never admits more than the credential or tenant limit for any sequence of bursts', async () => {
    const bursts = fc.array(burst, { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 60 }),
        bursts,
        async (credentialLimit, tenantLimit, bursts) => {
          let now = start
          const processes = [0, 1, 2].map(
            () => new RateLimiter(test.database, { credential: credentialLimit, tenant: tenantLimit }, () => now),
          )
          const tenant = newId()
          const credentials = [newId(), newId(), newId()]
          const counts = new Map<string, number>()
          const count = (subject: string, more: number): void =>
            void counts.set(subject, (counts.get(subject) ?? 0) + more)
          for (let i = 0; i < bursts.length; i += 3) {
            now += bursts[i]!.seconds * 1_000
            const minute = Math.floor(now / MINUTE)
            await Promise.all(
              bursts.slice(i, i + 3).map(async ({ process, credential, requests }) => {
                const more = await countAdmitted(processes[process]!, credentials[credential]!, tenant, requests)
                count(`${minute} credential ${credential}`, more)
                count(`${minute} tenant`, more)
              }),
            )
          }
          for (const [subject, total] of counts)
            assert.ok(total <= (subject.endsWith('tenant') ? tenantLimit : credentialLimit), `${subject}: ${total}`)
        },
      ),
      { numRuns: 40 },
    )
  })
})
