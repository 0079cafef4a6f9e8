import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { expireQuotes } from '../../src/records/quotes/index.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'

const ZONE = 'Asia/Tokyo'
const plus = (days: number): string => Temporal.Now.plainDateISO(ZONE).add({ days }).toString()
const today = plus(0)

let service: TestService
let company: Company
let customer: string
let home: string
before(async () => {
  service = await startTestService()
  company = await makeCompany(service, { timezone: ZONE })
  const { id, locations } = await company.call('customers_create', {
    customer_type: 'individual',
    first_name: 'Ana',
    locations: [{ address_line1: '1 Old Rd' }],
  })
  ;[customer, home] = [id, locations[0].id]
})
after(() => service.stop())

const make = (given: object = {}): Promise<Result> =>
  company.call('quotes_create', {
    customer_id: customer,
    title: 'Roof',
    line_items: [{ name: 'Roof', unit_price_cents: 10000 }],
    ...given,
  })
const update = (id: string, patch: object): Promise<Result> => company.call('quotes_update', { id, ...patch })
const readRefusal = (id: string, patch: object): Promise<string> => company.refusal('quotes_update', { id, ...patch })
const get = (id: string): Promise<Result> => company.call('quotes_get', { id })

const STATUSES = ['draft', 'sent', 'accepted', 'declined', 'expired'] as const
type Status = (typeof STATUSES)[number]
const LEGAL: Record<Status, Status[]> = {
  draft: ['sent', 'accepted', 'declined'],
  sent: ['draft', 'accepted', 'declined', 'expired'],
  accepted: ['declined'],
  declined: ['draft'],
  expired: ['draft', 'sent'],
}
async function inStatus(status: Status): Promise<Result> {
  const { id } = await make()
  if (status === 'expired') await update(id, { status: 'sent' })
  if (status !== 'draft') await update(id, { status })
  return get(id)
}
const without = (record: Result): Result =>
  Object.fromEntries(Object.entries(record).filter(([field]) => field !== 'url'))

describe('a quote status set by update', () => {
  for (const from of STATUSES) {
    for (const to of STATUSES) {
      const isLegal = LEGAL[from].includes(to)
      it(`${from === to ? 'stays' : isLegal ? 'goes from' : "can't go from"} ${from}${from === to ? '' : ` to ${to}`}`, async () => {
        const before = without(await inStatus(from))
        if (from === to) assert.deepEqual(await update(before.id, { status: to }), before)
        else if (!isLegal) {
          assert.match(
            await readRefusal(before.id, { status: to }),
            new RegExp(
              `^conflict: Q-\\d+ is ${from} and can't become ${to}; from here it can become ${LEGAL[from].join(' or ')}$`,
            ),
          )
          assert.deepEqual(without(await get(before.id)), before)
        } else {
          const after = await update(before.id, { status: to })
          assert.equal(after.status, to)
          assert.ok(after.updated_at > before.updated_at)
        }
      })
    }
    it(`can't be archived from ${from}, only through quotes_archive`, async () => {
      const { id } = await inStatus(from)
      assert.match(
        await readRefusal(id, { status: 'archived' }),
        /^invalid_input: status is set to archived with quotes_archive/,
      )
      assert.equal(
        await readRefusal(id, { status: 'open' }),
        'invalid_input: status must be one of draft, sent, accepted, declined, expired (got "open")',
      )
      assert.equal((await company.call('quotes_archive', { id })).status, 'archived')
    })
  }

  it('sets its timestamps, and draft clears acceptance and decline', async () => {
    const { id } = await make()
    const { sent_at } = await update(id, { status: 'sent' })
    await update(id, { status: 'draft' })
    const accepted = await update(id, { status: 'accepted' })
    assert.deepEqual([accepted.sent_at, typeof accepted.accepted_at, accepted.declined_at], [sent_at, 'string', null])
    const declined = await update(id, { status: 'declined', decline_reason: 'Too dear' })
    assert.deepEqual(
      [declined.accepted_at, typeof declined.declined_at, declined.decline_reason],
      [accepted.accepted_at, 'string', 'Too dear'],
    )
    assert.equal((await update(id, { decline_reason: null })).decline_reason, null)
    await update(id, { decline_reason: 'Moved away' })
    const draft = await update(id, { status: 'draft' })
    assert.deepEqual(
      [draft.accepted_at, draft.declined_at, draft.decline_reason, draft.sent_at],
      [null, null, null, sent_at],
    )
    assert.match(
      await readRefusal(id, { decline_reason: 'x' }),
      /^invalid_input: decline_reason requires status declined/,
    )
    assert.match(
      await readRefusal(id, { decline_reason: 'x', status: 'sent' }),
      /^invalid_input: decline_reason requires status declined/,
    )
  })

  it("accepted makes a lead an active customer, sent doesn't", async () => {
    const { id } = await company.call('customers_create', {
      customer_type: 'individual',
      first_name: 'Lee',
      status: 'lead',
    })
    const status = async (): Promise<string> => (await company.call('customers_get', { id })).status
    const quote = await make({ customer_id: id })
    await update(quote.id, { status: 'sent' })
    assert.equal(await status(), 'lead')
    await update(quote.id, { status: 'accepted' })
    assert.equal(await status(), 'active')
  })
})

describe('quote content', () => {
  it('can be changed only in draft, by the status before the call', async () => {
    for (const from of STATUSES.filter((status) => status !== 'draft')) {
      const { id } = await inStatus(from)
      for (const patch of [
        { title: 'x' },
        { terms: 'x' },
        { line_items: [] },
        { discount: null },
        { tax_rate_id: null },
        { location_id: null },
        { issue_date: plus(1) },
        { status: 'draft', title: 'x' },
      ]) {
        assert.match(
          await readRefusal(id, patch),
          new RegExp(`^conflict: Q-\\d+ is ${from}, and \\w+ can be changed only in draft`),
        )
      }
    }
    const { id } = await make()
    const sent = await update(id, {
      title: 'Shed',
      status: 'sent',
      line_items: [{ name: 'Shed', unit_price_cents: 5000 }],
    })
    assert.deepEqual([sent.title, sent.status, sent.total_cents], ['Shed', 'sent', 5000])
  })

  it('is refused with a hint to go back to draft, or to make a new quote', async () => {
    assert.match(
      await readRefusal((await inStatus('sent')).id, { title: 'Roof 2' }),
      /set status to draft first, in a separate call$/,
    )
    assert.match(
      await readRefusal((await inStatus('accepted')).id, { title: 'Roof 2' }),
      /title can be changed only in draft; create a new quote with quotes_create$/,
    )
  })

  it('allows message, fields and valid_until in every status and keeps the price outside draft', async () => {
    const quotes = await Promise.all(STATUSES.map(inStatus))
    const rate = await company.call('tax_rates_create', { rate_percentage: 10, is_default: true })
    for (const quote of quotes) {
      const patched = await update(quote.id, { message: 'Hi', fields: { a: 1 }, valid_until: plus(90) })
      assert.deepEqual(
        [patched.message, patched.fields, patched.valid_until, patched.status],
        ['Hi', { a: 1 }, plus(90), quote.status],
      )
      assert.equal(patched.total_cents, quote.status === 'draft' ? 11000 : 10000)
      assert.equal((await update(quote.id, { valid_until: null })).valid_until, plus(30))
    }
    await company.call('tax_rates_archive', { id: rate.id })
  })

  it('keeps the location address from when the quote left draft', async () => {
    const [draft, sent] = [await inStatus('draft'), await inStatus('sent')]
    await company.call('locations_update', { id: home, address_line1: '2 New Rd' })
    assert.deepEqual(
      [(await get(draft.id)).location_address, (await get(sent.id)).location_address],
      ['2 New Rd, US', '1 Old Rd, US'],
    )
    assert.equal((await update(sent.id, { status: 'draft' })).location_address, '2 New Rd, US')
  })
})

describe('quote expiry', () => {
  const expire = (day: string): Promise<number> =>
    writeTenant(service.database, { tenant: company.tenant }, (db) => expireQuotes(db, day))
  const outdate = (id: string): Promise<unknown> =>
    writeTenant(service.database, { tenant: company.tenant }, (db) =>
      db.run(sql`update quotes set valid_until = ${plus(-1)} where tenant_id = ${db.tenant} and id = ${id}`),
    )

  it('expires only sent quotes, the day after valid_until', async () => {
    const [last, over] = [await make({ valid_until: plus(0) }), await inStatus('sent')]
    const others = await Promise.all((['draft', 'accepted', 'declined'] as const).map(inStatus))
    await update(last.id, { status: 'sent' })
    for (const { id } of [over, ...others]) await outdate(id)
    assert.equal(await expire(plus(0)), 1)
    assert.deepEqual(
      [(await get(over.id)).status, (await get(over.id)).updated_by, (await get(last.id)).status],
      ['expired', null, 'sent'],
    )
    for (const { id, status } of others) assert.equal((await get(id)).status, status)
    assert.ok((await expire(plus(1))) >= 1)
    assert.equal((await get(last.id)).status, 'expired')
  })

  it('requires valid_until of today or later to send the quote again', async () => {
    const { id } = await inStatus('expired')
    await outdate(id)
    assert.match(
      await readRefusal(id, { status: 'sent' }),
      new RegExp(`^conflict: Q-\\d+ was valid until ${plus(-1)}; also send valid_until, today \\(${today}\\) or later`),
    )
    assert.match(await readRefusal(id, { status: 'sent', valid_until: plus(-1) }), /^conflict: /)
    assert.equal((await update(id, { status: 'sent', valid_until: plus(0) })).status, 'sent')
  })
})
