import assert from 'node:assert/strict'
import type { Office, Task } from './office.ts'

/**
 * Tasks done in the fewest calls. The agent names records by number or name, as people do, and gets warnings about what
 * it overlooks.
 */
async function books({ call, person, workday }: Office) {
  const { id: customer_id } = await call('customers_create', {
    customer_type: 'individual',
    first_name: 'Ana',
    last_name: 'Ruiz',
    locations: [{ address_line1: '12 Elm Street', city: 'Austin' }],
  })
  const tomas = await person('Tomas Reed', 'tech')
  const job = await call('jobs_create', {
    customer_id,
    title: 'Replace faucet',
    scheduled_start: `${workday(2)}T09:00`,
    assignees: [tomas.id],
    line_items: [{ name: 'Faucet', unit_price_cents: 18_900 }],
  })
  return { customer_id, tomas, job }
}

export const atBest: readonly Task[] = [
  {
    name: 'At best: book a visit at a time when the technician is taken, and move it',
    async run(office) {
      const { job, customer_id, tomas } = await books(office)
      const agent = await office.agent()
      assert.ok(agent.instructions.includes(`Tomas Reed ${tomas.id}`))

      const made = await agent.call('jobs_create', {
        customer_id: 'Ana Ruiz',
        title: 'Leak',
        scheduled_start: `${office.workday(2)}T09:30`,
        assignees: ['Tomas Reed'],
      })
      assert.match(made.warnings[0], new RegExp(`^Tomas Reed is double-booked: ${job.display_number} is `))
      const moved = await agent.call('jobs_update', {
        id: made.display_number,
        scheduled_start: `${office.workday(2)}T10:00`,
      })
      assert.equal(moved.warnings, undefined)

      const rows = await office.rows(
        'select customer_id, scheduled_start from jobs where tenant_id = $1 order by number',
      )
      assert.deepEqual(
        rows.map(({ scheduled_start }) => scheduled_start.toISOString()),
        [office.at(office.workday(2), '09:00'), office.at(office.workday(2), '10:00')],
      )
      assert.equal(rows[1]!.customer_id, customer_id)
    },
  },
  {
    name: 'At best: mark a job done by its number, bill it, and say how it is sent',
    async run(office) {
      const { job } = await books(office)
      const agent = await office.agent()

      await agent.call('jobs_update', { id: job.display_number, status: 'done' })
      const invoice = await agent.call('invoices_create', { customer_id: 'Ana Ruiz', from_job_id: job.display_number })
      const sent = await agent.call('invoices_update', { id: invoice.display_number, status: 'sent' })
      assert.match(sent.warnings[0], /nothing was emailed\. A person can email it at \S+\/invoices\/\S+\/send$/)

      assert.deepEqual(await office.rows('select status, total_cents::int from invoices where tenant_id = $1'), [
        { status: 'sent', total_cents: 18_900 },
      ])
    },
  },
  {
    name: 'At best: notice that a job was billed already, and take the second invoice back',
    async run(office) {
      const { job, customer_id } = await books(office)
      const { display_number } = await office.call('invoices_create', { customer_id, from_job_id: job.id })
      const agent = await office.agent()

      const twice = await agent.call('invoices_create', { customer_id: 'Ana Ruiz', from_job_id: job.display_number })
      assert.ok(twice.warnings[0].startsWith(`${job.display_number} is already billed by ${display_number} (draft)`))
      await agent.call('invoices_void', { id: twice.display_number, reason: 'Billed already' })

      assert.deepEqual(await office.rows('select status from invoices where tenant_id = $1 order by number'), [
        { status: 'draft' },
        { status: 'void' },
      ])
    },
  },
  {
    name: 'At best: remember something of a paid invoice without taking the payment back',
    async run(office) {
      const { customer_id } = await books(office)
      const made = await office.call('invoices_create', {
        customer_id,
        line_items: [{ name: 'Visit', unit_price_cents: 100 }],
      })
      await office.call('invoices_update', { id: made.id, status: 'paid' })
      const agent = await office.agent()

      const id = made.display_number
      const refused = await agent.stumble('invoices_update', { id, internal_memo: 'Wants a copy by post' })
      assert.match(refused, /leave it paid and add a note to it \(notes_create\), which undoes nothing/)
      await agent.call('notes_create', { subject_type: 'invoice', subject_id: id, body: 'Wants a copy by post' })

      assert.deepEqual(await office.rows('select status from invoices where tenant_id = $1'), [{ status: 'paid' }])
      assert.deepEqual(await office.rows('select subject_id from notes where tenant_id = $1'), [
        { subject_id: made.id },
      ])
    },
  },
  {
    name: 'At best: let a customer go, and call off what is still to come',
    async run(office) {
      const { customer_id } = await books(office)
      const agent = await office.agent()

      const {
        rows: [ana],
      } = await agent.call('customers_search', { query: 'Ana Ruiz' })
      const gone = await agent.call('customers_archive', { id: ana.id })
      assert.match(
        gone.warnings[0],
        /^1 open job remains, 1 with an upcoming visit: list them with jobs_list and customer_id /,
      )
      const { rows } = await agent.call('jobs_list', { customer_id: ana.id, status: ['scheduled'] })
      for (const { display_number } of rows) await agent.call('jobs_cancel', { id: display_number })

      assert.equal(ana.id, customer_id)
      assert.deepEqual(await office.rows('select status from jobs where tenant_id = $1'), [{ status: 'cancelled' }])
    },
  },
  {
    name: 'At best: set up a visit each quarter, said as people say it',
    async run(office) {
      await books(office)
      const agent = await office.agent()

      const wish = { customer_id: 'Ana Ruiz', title: 'Filter change', dtstart: `${office.day(10)}T09:00` }
      const refused = await agent.stumble('job_series_create', { ...wish, rrule: 'FREQ=QUARTERLY' })
      const [, rrule] = /use (FREQ=\S+)/.exec(refused)!
      await agent.call('job_series_create', { ...wish, rrule, assignees: ['Tomas Reed'] })

      assert.deepEqual(await office.rows('select rrule from job_series where tenant_id = $1'), [
        { rrule: 'FREQ=MONTHLY;INTERVAL=3' },
      ])
    },
  },
]
