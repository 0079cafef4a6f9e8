import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { sql } from '../../src/platform/db/database.ts'
import { readTenant } from '../../src/platform/db/tenant.ts'
import {
  connectPaymentAccount,
  disconnectPaymentAccount,
  listPaymentAccounts,
  findPaymentAccounts,
  type PaymentAccount,
} from '../../src/payments/accounts.ts'
import { makeCompany } from '../harness/harness.ts'
import {
  ACCOUNT,
  newProviderId,
  openPaymentScene,
  type EventOptions,
  type StoredEvent,
  type PaymentScene,
} from '../harness/money/payments.ts'

let scene: PaymentScene
before(async () => {
  scene = await openPaymentScene()
})
after(async () => {
  assert.deepEqual(scene.lines, [])
  await scene.service.stop()
})

const accounts = (tenant = scene.company.tenant): Promise<PaymentAccount[]> =>
  readTenant(scene.service.database, { tenant }, findPaymentAccounts)
const state = async (account: string): Promise<Omit<PaymentAccount, 'account_id' | 'connected_at'>> => {
  const {
    account_id: _,
    connected_at: __,
    ...rest
  } = (await accounts()).find(({ account_id }) => account_id === account)!
  return rest
}
/** Connects an account that has no events yet. */
async function connect(): Promise<string> {
  const account = newProviderId('acct')
  await connectPaymentAccount(scene.service.database, null, scene.company.tenant, account)
  return account
}

/** Unix time of the base event, in seconds. */
const AT = Math.floor(Date.now() / 1000) - 86_400
const at = (seconds: number): string => new Date((AT + seconds) * 1000).toISOString()

const sendUpdate = (account: string, seconds: number, object: object, how: EventOptions = {}): Promise<StoredEvent> =>
  scene.send(
    'account.updated',
    null,
    { id: account, object: 'account', currency: undefined, ...object },
    { account, created: AT + seconds, ...how },
  )
const v2 = (
  account: string,
  seconds: number,
  what: string,
  more: object = {},
  id = newProviderId('evt'),
): Promise<StoredEvent> =>
  scene.send(
    `v2.core.account${what}`,
    null,
    {},
    {
      account: null,
      id,
      endpoint: 'platform',
      created: at(seconds),
      more: {
        object: 'v2.core.event',
        related_object: { id: account, type: 'v2.core.account', url: '/' },
        data: {},
        ...more,
      },
    },
  )

const NOTHING = {
  charges_enabled: null,
  payouts_enabled: null,
  details_submitted: null,
  requirements: null,
  capabilities: [],
  closed: false,
  told_at: null,
  is_outdated: false,
}

describe('account.updated', () => {
  it('updates the account state that the settings show', async () => {
    const account = await connect()
    assert.deepEqual(await state(account), NOTHING)
    const { state: ended, tenant_id } = await sendUpdate(account, 0, {
      charges_enabled: true,
      payouts_enabled: false,
      details_submitted: true,
      capabilities: { card_payments: 'active', transfers: 'pending' },
      requirements: { currently_due: ['external_account'], past_due: [], disabled_reason: 'requirements.past_due' },
    })
    assert.deepEqual([ended, tenant_id], ['applied', scene.company.tenant])
    assert.deepEqual(await state(account), {
      charges_enabled: true,
      payouts_enabled: false,
      details_submitted: true,
      requirements: { due: ['external_account'], past_due: [], disabled_reason: 'requirements.past_due' },
      capabilities: [
        { name: 'card_payments', status: 'active', at: at(0) },
        { name: 'transfers', status: 'pending', at: at(0) },
      ],
      closed: false,
      told_at: at(0),
      is_outdated: false,
    })
  })

  it("finds the account in the event's object when the event has no account field", async () => {
    const account = await connect()
    await sendUpdate(account, 0, { charges_enabled: true }, { account: null, endpoint: 'platform' })
    assert.equal((await state(account)).charges_enabled, true)
    await scene.send(
      'capability.updated',
      null,
      { id: 'transfers', object: 'capability', account, status: 'active' },
      { account: null, created: AT + 1 },
    )
    assert.deepEqual((await state(account)).capabilities, [{ name: 'transfers', status: 'active', at: at(1) }])
  })

  it('is applied once, and ignored if older than the last applied event', async () => {
    const account = await connect()
    const id = newProviderId('evt')
    assert.equal((await sendUpdate(account, 10, { charges_enabled: true }, { id })).reason, null)
    assert.equal(
      (
        await scene.provider.event({
          id,
          type: 'account.updated',
          account,
          created: AT + 99,
          data: { object: { charges_enabled: false } },
        })
      ).text,
      '{"received":true,"deduped":true}',
    )
    assert.equal((await sendUpdate(account, 5, { charges_enabled: false })).reason, 'outdated')
    assert.deepEqual([(await state(account)).charges_enabled, (await state(account)).told_at], [true, at(10)])
    await sendUpdate(account, 10, { charges_enabled: false })
    assert.equal((await state(account)).charges_enabled, false)
  })

  it('ends in the same state in any delivery order', async () => {
    const told = [
      [1, { charges_enabled: true, capabilities: { card_payments: 'pending' } }],
      [2, { payouts_enabled: true, capabilities: { card_payments: 'active' } }],
      [3, { charges_enabled: false }],
    ] as const
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([0, 1, 2], { minLength: 3 }), async (order) => {
        const account = await connect()
        for (const [seconds, object] of order.map((i) => told[i]!)) await sendUpdate(account, seconds, object)
        const { charges_enabled, payouts_enabled, capabilities, told_at } = await state(account)
        assert.deepEqual(
          { charges_enabled, payouts_enabled, capabilities, told_at },
          {
            charges_enabled: false,
            payouts_enabled: true,
            capabilities: [{ name: 'card_payments', status: 'active', at: at(2) }],
            told_at: at(3),
          },
        )
      }),
      { numRuns: 12 },
    )
  })

  it("doesn't let an event dated in the future block later updates", async () => {
    const account = await connect()
    await sendUpdate(account, 0, { charges_enabled: true }, { created: AT + 10 ** 9 })
    await sendUpdate(account, 0, { charges_enabled: false }, { created: undefined })
    assert.equal((await state(account)).charges_enabled, false)
  })

  it("ignores values that it can't parse", async () => {
    const account = await connect()
    const odd = {
      charges_enabled: 'yes',
      payouts_enabled: 1,
      requirements: { currently_due: [7, 'a b', 'x', null], past_due: 'x' },
      capabilities: { 'Bad Name': 'active', card_payments: 7, transfers: 'x'.repeat(60), ok: 'active' },
    }
    for (const created of ['nonsense', -1, null, {}, 8.64e18, '2026-01-01'])
      assert.equal((await sendUpdate(account, 0, odd, { created })).state, 'applied')
    const { charges_enabled, payouts_enabled, requirements, capabilities, told_at } = await state(account)
    assert.notEqual(told_at, null)
    await sendUpdate(account, 0, {
      capabilities: Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`capability_${i}`, 'active'])),
    })
    assert.equal((await state(account)).capabilities.length, 201)
    assert.deepEqual(
      [charges_enabled, payouts_enabled, requirements, capabilities.map(({ name }) => name)],
      [null, null, { due: ['x'], past_due: [], disabled_reason: null }, ['ok']],
    )
  })
})

describe('v2 account events at the platform endpoint', () => {
  it('update capability statuses, or mark the state outdated if the event has no values', async () => {
    const account = await connect()
    const card = {
      configuration: {
        merchant: {
          capabilities: { card_payments: { status: 'active' }, stripe_balance: { payouts: { status: 'restricted' } } },
        },
      },
    }
    await v2(account, 1, '[configuration.merchant].capability_status_updated', { changes: { before: {}, after: card } })
    assert.deepEqual(await state(account), {
      ...NOTHING,
      told_at: at(1),
      capabilities: [
        { name: 'card_payments', status: 'active', at: at(1) },
        { name: 'stripe_balance.payouts', status: 'restricted', at: at(1) },
      ],
    })
    await v2(account, 2, '[configuration.merchant].capability_status_updated', {
      data: { updated_capability: 'card_payments' },
    })
    assert.deepEqual(await state(account), {
      ...NOTHING,
      told_at: at(2),
      is_outdated: true,
      capabilities: [
        { name: 'card_payments', status: 'changed', at: at(2) },
        { name: 'stripe_balance.payouts', status: 'restricted', at: at(1) },
      ],
    })
  })

  it('mark the state outdated and keep the known values if the event has no details', async () => {
    const account = await connect()
    await sendUpdate(account, 1, { charges_enabled: true })
    await v2(account, 3, '[requirements].updated')
    assert.deepEqual(await state(account), { ...NOTHING, charges_enabled: true, told_at: at(3), is_outdated: true })
    await v2(account, 2, '.updated')
    await sendUpdate(account, 4, { charges_enabled: true })
    assert.deepEqual(await state(account), { ...NOTHING, charges_enabled: true, told_at: at(4) })
  })

  it('close the account', async () => {
    const account = await connect()
    await v2(account, 2, '.closed')
    await v2(account, 1, '.updated')
    assert.deepEqual(await state(account), { ...NOTHING, closed: true, told_at: at(2) })
  })

  it('are stored without effect if they concern other objects', async () => {
    for (const type of ['v2.core.account_person.updated', 'v2.core.event_destination.ping'])
      assert.equal((await scene.send(type, null, {})).state, 'stored')
  })
})

describe('an event for an unconnected account', () => {
  it('is applied once the account is connected', async () => {
    const account = newProviderId('acct')
    const { state: ended, reason } = await sendUpdate(account, 1, { charges_enabled: true })
    assert.deepEqual([ended, reason], ['unrouted', 'unknown_account'])
    await connectPaymentAccount(scene.service.database, null, scene.company.tenant, account)
    await scene.work()
    assert.equal((await state(account)).charges_enabled, true)
  })
})

describe('a payment account', () => {
  it('belongs to one company until it is disconnected, and both changes are in the audit log', async () => {
    const { service, company } = scene
    const other = await makeCompany(service)
    await assert.rejects(
      connectPaymentAccount(service.database, null, other.tenant, ACCOUNT),
      /belongs to another company/,
    )
    await connectPaymentAccount(service.database, null, company.tenant, ACCOUNT)
    for (const odd of ['a b', '', 'x'.repeat(101)])
      await assert.rejects(connectPaymentAccount(service.database, null, company.tenant, odd), /account must be/)
    const account = await connect()
    assert.deepEqual(
      [(await accounts(other.tenant)).length, (await listPaymentAccounts(service.database, other.tenant)).length],
      [0, 0],
    )
    assert.ok((await listPaymentAccounts(service.database)).some(({ account_id }) => account_id === account))
    assert.equal(
      (await disconnectPaymentAccount(service.database, { user: company.owner.id }, account)).tenant_id,
      company.tenant,
    )
    await assert.rejects(disconnectPaymentAccount(service.database, null, account), /payment account not found/)
    assert.equal((await sendUpdate(account, 1, { charges_enabled: true })).state, 'unrouted')
    await connectPaymentAccount(service.database, null, other.tenant, account)
    await scene.work()
    assert.deepEqual(
      (await accounts(other.tenant)).map(({ account_id, charges_enabled }) => [account_id, charges_enabled]),
      [[account, true]],
    )
    const written = (
      await service.database.send([
        sql`select act, user_id, record_id from reviews where changed ->> 'account' = ${account} order by at, id`,
      ])
    )[0]!.rows
    assert.deepEqual(
      written.map(({ act, user_id, record_id }) => [act, user_id, record_id]),
      [
        ['payment_accounts.connect', null, company.tenant],
        ['payment_accounts.disconnect', company.owner.id, company.tenant],
        ['payment_accounts.connect', null, other.tenant],
      ],
    )
  })
})
