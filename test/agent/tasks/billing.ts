import assert from 'node:assert/strict'
import { toDottedDate, type Office, type Task } from './office.ts'
import { dayAsAsked, read, toolIn } from './following.ts'

const customerOf = ({ call }: Office, company_name: string) =>
  call('customers_create', { customer_type: 'company', company_name })
const lines = (unit_price_cents: number, quantity = 1): object[] => [
  { name: 'Service call', kind: 'service', quantity, unit_price_cents },
]

export const billing: readonly Task[] = [
  {
    name: 'List what is overdue at the end of the month',
    async run(office) {
      const names = ['Barton Dental', 'Lakeside Church', 'Old Mill Cafe']
      const customers = await Promise.all(names.map((name) => customerOf(office, name)))
      const due = (days: number) => ({ issue_date: office.day(days - 30), due_date: office.day(days) })
      for (let i = 0; i < 16; i++) {
        const { id } = await office.call('invoices_create', {
          customer_id: customers[i % 3]!.id,
          line_items: lines(10_000 + i),
          ...due(i < 12 ? -1 - i : i),
        })
        await office.call('invoices_update', { id, status: i === 3 ? 'paid' : 'sent' })
      }
      const agent = await office.agent()
      const before = await office.digest()

      const refused = await agent.stumble('invoices_list', { overdue: true, limit: 500 })
      const [, most] = read(refused, /limit must be a whole number from 1 to (\d+)/)
      const { rows, total, hasMore } = await agent.call('invoices_list', {
        overdue: true,
        limit: Number(most),
        include_total: true,
      })
      assert.deepEqual([rows.length, total, hasMore], [11, 11, false])
      const owed = new Map<string, number>()
      for (const { customer_name, balance_due_cents } of rows)
        owed.set(customer_name, (owed.get(customer_name) ?? 0) + balance_due_cents)

      const kept = await office.rows(
        `select c.display_name as name, sum(i.balance_due_cents)::int as owed
        from invoices i join customers c on c.tenant_id = i.tenant_id and c.id = i.customer_id
        where i.tenant_id = $1 and i.status = 'sent' and i.due_date < $2 group by 1 order by 1`,
        office.day(0),
      )
      assert.deepEqual(
        [...owed].sort().map(([name, sum]) => ({ name, owed: sum })),
        kept,
      )
      assert.deepEqual(await office.digest(), before)
    },
  },
  {
    name: 'Void an invoice and bill anew',
    async run(office) {
      const { id: customer_id } = await customerOf(office, 'Barton Dental')
      const made = await office.call('invoices_create', {
        customer_id,
        po_number: 'PO-77',
        line_items: lines(15_000, 3),
      })
      await office.call('invoices_update', { id: made.id, status: 'sent' })
      const agent = await office.agent()

      const {
        rows: [row],
      } = await agent.call('invoices_list', { number: made.number })
      const wrong = await agent.call('invoices_get', { id: row.id })
      const tool = toolIn(await agent.stumble('invoices_update', { id: row.id, status: 'void' }), agent)
      await agent.call(tool, { id: row.id, reason: 'Two hours, not three' })
      const anew = (wrong.line_items as Record<string, unknown>[]).map(({ name, kind, unit_price_cents }) => ({
        name,
        kind,
        unit_price_cents,
        quantity: 2,
      }))
      const right = {
        customer_id: wrong.customer_id,
        po_number: wrong.po_number,
        line_items: anew,
        due_date: toDottedDate(office.day(10)),
      }
      const due_date = dayAsAsked(await agent.stumble('invoices_create', right), right.due_date)
      const invoice = await agent.call('invoices_create', { ...right, due_date })
      await agent.call('invoices_update', { id: invoice.id, status: 'sent' })

      const kept = await office.rows(
        'select status, total_cents::int, balance_due_cents::int, po_number, void_reason from invoices where tenant_id = $1 order by number',
      )
      assert.deepEqual(kept, [
        {
          status: 'void',
          total_cents: 45_000,
          balance_due_cents: 0,
          po_number: 'PO-77',
          void_reason: 'Two hours, not three',
        },
        { status: 'sent', total_cents: 30_000, balance_due_cents: 30_000, po_number: 'PO-77', void_reason: null },
      ])
    },
  },
  {
    name: 'Correct a wrong tax rate, and the drafts that have it',
    async run(office) {
      const { id: customer_id } = await customerOf(office, 'Barton Dental')
      await office.call('tax_rates_create', { name: 'Austin', rate_percentage: 8.52, is_default: true })
      const sent = await office.call('invoices_create', { customer_id, line_items: lines(10_000) })
      await office.call('invoices_update', { id: sent.id, status: 'sent' })
      await office.call('invoices_create', { customer_id, line_items: lines(20_000) })
      const agent = await office.agent('owner')

      const {
        rows: [wrong],
      } = await agent.call('tax_rates_list', {})
      const anew = toolIn(await agent.stumble('tax_rates_update', { id: wrong.id, rate_percentage: 8.25 }), agent)
      const right = await agent.call(anew, { name: wrong.name, rate_percentage: 8.25, is_default: true })
      await agent.call('tax_rates_archive', { id: wrong.id })
      const { rows: drafts } = await agent.call('invoices_list', { status: ['draft'] })
      for (const { id } of drafts) await agent.call('invoices_update', { id, tax_rate_id: right.id })

      const kept = await office.rows(
        'select status, total_cents::int from invoices where tenant_id = $1 order by number',
      )
      assert.deepEqual(kept, [
        { status: 'sent', total_cents: 10_852 },
        { status: 'draft', total_cents: 21_650 },
      ])
      const rates = await office.rows(
        'select rate_decimal::text, is_default, archived_at is not null as archived from tax_rates where tenant_id = $1 order by created_at',
      )
      assert.deepEqual(rates, [
        { rate_decimal: '0.085200', is_default: false, archived: true },
        { rate_decimal: '0.082500', is_default: true, archived: false },
      ])
    },
  },
  {
    name: 'Change the due date of an invoice that was sent',
    async run(office) {
      const { id: customer_id } = await customerOf(office, 'Lakeside Church')
      const made = await office.call('invoices_create', { customer_id, line_items: lines(15_000) })
      await office.call('invoices_update', { id: made.id, status: 'sent' })
      const agent = await office.agent()

      const {
        rows: [invoice],
      } = await agent.call('invoices_list', { number: made.number })
      const due_date = office.day(45)
      const message = await agent.stumble('invoices_update', { id: invoice.id, due_date })
      assert.match(
        message,
        /is sent, and due_date can be changed only in draft; set status to draft first, in a separate call, .*; or add a note to it \(notes_create\), which undoes nothing$/,
      )
      await agent.call('invoices_update', { id: invoice.id, status: 'draft' })
      await agent.call('invoices_update', { id: invoice.id, due_date, status: 'sent' })

      assert.deepEqual(await office.rows('select status, due_date::text from invoices where tenant_id = $1'), [
        { status: 'sent', due_date },
      ])
    },
  },
]
