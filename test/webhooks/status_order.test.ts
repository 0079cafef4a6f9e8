import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { sql } from '../../src/platform/db/database.ts'
import { writeTenant } from '../../src/platform/db/tenant.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { makeCompany, startTestService, type TestService } from '../harness/harness.ts'
import { WEBHOOK_ENV, providerOf } from '../harness/clients/webhook_calls.ts'

let service: TestService
let tenant: string
let provider: ReturnType<typeof providerOf>
before(async () => {
  service = await startTestService(WEBHOOK_ENV)
  provider = providerOf(service)
  tenant = (await makeCompany(service)).tenant
})
after(() => service.stop())

type Callback = { name: string; message?: string }
type Stored = { status: string; error_message: string | null }

const RANKS = ['queued', 'sending', 'delivered', 'failed']
const STORED: Record<string, string | undefined> = {
  accepted: 'queued',
  queued: 'queued',
  sent: 'sending',
  delivered: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
  'email.sent': 'sending',
  'email.delivered': 'delivered',
  'email.opened': 'delivered',
  'email.bounced': 'failed',
  'email.complained': 'failed',
  'email.failed': 'failed',
}
const REVERSES = new Set(['email.bounced', 'email.complained'])

/** Applies the rules of docs/spec/messages.md#status-order, one callback after the other. */
function outcomeOf(callbacks: Callback[]): Stored {
  return callbacks.reduce<Stored>(
    (now, { name, message = null }) => {
      const next = STORED[name]
      if (next === undefined) return now
      const isLeft = now.status === 'failed' || (now.status === 'delivered' && !REVERSES.has(name))
      const status = !isLeft && RANKS.indexOf(next) > RANKS.indexOf(now.status) ? next : now.status
      return {
        status,
        error_message: status === 'failed' && next === 'failed' ? (now.error_message ?? message) : now.error_message,
      }
    },
    { status: 'queued', error_message: null },
  )
}

const add = (channel: string, id: string): Promise<number> =>
  writeTenant(service.database, { tenant }, (db) =>
    db.run(sql`
  insert into communications (tenant_id, id, channel, direction, status, provider, provider_message_id, sender, sender_address, recipients)
  values (${tenant}, ${newId()}, ${channel}, 'outbound', 'queued', 'test', ${id}, 'us', 'us', array['them'])`),
  )
const read = (id: string): Promise<Stored> =>
  writeTenant(service.database, { tenant }, (db) =>
    db.one<Stored>(
      sql`select status, error_message from communications where tenant_id = ${tenant} and provider_message_id = ${id}`,
    ),
  )

const CHANNELS = {
  sms: {
    names: ['accepted', 'queued', 'sent', 'delivered', 'undelivered', 'failed', 'read', 'received'],
    send: (id: string, { name, message }: Callback) =>
      provider.smsStatus({
        MessageSid: id,
        MessageStatus: name,
        ...(message === undefined ? {} : { ErrorMessage: message }),
      }),
  },
  email: {
    names: [
      'email.sent',
      'email.delivered',
      'email.opened',
      'email.bounced',
      'email.complained',
      'email.failed',
      'email.delivery_delayed',
    ],
    send: (id: string, { name, message }: Callback) =>
      provider.emailEvent({
        type: name,
        data: { email_id: id, ...(message === undefined ? {} : { bounce: { message } }) },
      }),
  },
} as const

for (const [channel, { names, send }] of Object.entries(CHANNELS)) {
  describe(`${channel} callbacks in any order`, () => {
    const callback = fc.record(
      { name: fc.constantFrom(...names), message: fc.constantFrom('one', 'two') },
      { requiredKeys: ['name'] },
    )

    it('end in the status that the rules define, even if they precede the message', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(callback, { maxLength: 6 }), fc.nat(6), async (callbacks, appears) => {
          const id = newId()
          for (const [i, one] of callbacks.entries()) {
            if (i === appears) await add(channel, id)
            assert.equal((await send(id, one as Callback)).status, 200)
          }
          if (appears >= callbacks.length) await add(channel, id)
          assert.deepEqual(await read(id), outcomeOf(callbacks as Callback[]))
        }),
        { numRuns: 60 },
      )
    })
  })
}
