import assert from 'node:assert/strict'
import { fieldsIn, idBehind, choicesIn, renameField, timeAsAsked, toolIn } from './following.ts'
import { toDottedDate, type Office, type Task } from './office.ts'

const person = (first_name: string, last_name: string, phone: string, street: string): object => ({
  customer_type: 'individual',
  first_name,
  last_name,
  phone,
  locations: [
    { address_line1: street, city: 'Austin', region: 'TX', postal_code: '78704', access_notes: 'Gate code 4411' },
  ],
})

/** Makes a few customers. Ana Ruiz is the first. */
async function customersOf({ call }: Office) {
  const ana = await call('customers_create', person('Ana', 'Ruiz', '(512) 555-0143', '12 Elm Street'))
  const ben = await call('customers_create', person('Ben', 'Okafor', '(512) 555-0178', '80 Oak Avenue'))
  const carla = await call('customers_create', person('Carla', 'Diaz', '(737) 555-0104', '5 Lake Road'))
  return [ana, ben, carla] as const
}

export const visits: readonly Task[] = [
  {
    name: 'Take a call and book a visit, the technician by name and the day with dots',
    async run(office) {
      const [ana] = await customersOf(office)
      const tomas = await office.person('Tomas Reed', 'tech')
      await office.person('Lena Novak', 'tech')
      const friday = office.next(5)
      const agent = await office.agent()

      const {
        rows: [caller],
      } = await agent.call('customers_search', { query: '512.555.0143' })
      const visit = {
        customer_id: caller.id,
        title: 'Water heater leaks',
        scheduled_start: `${toDottedDate(friday)} 09:00`,
        assignees: ['Tomas Reed'],
      }
      const scheduled_start = timeAsAsked(await agent.stumble('jobs_create', visit), visit.scheduled_start)
      const job = await agent.call('jobs_create', { ...visit, scheduled_start })
      assert.match(job.url, /\/jobs\//)

      const rows = await office.rows(
        'select customer_id, status, scheduled_start, assignee_ids, location_address from jobs where tenant_id = $1',
      )
      assert.equal(rows.length, 1)
      assert.equal(rows[0]!.customer_id, ana.id)
      assert.deepEqual(
        [rows[0]!.status, rows[0]!.scheduled_start.toISOString(), rows[0]!.assignee_ids],
        ['scheduled', office.at(friday, '09:00'), [tomas.id]],
      )
      assert.match(rows[0]!.location_address, /^12 Elm Street/)
    },
  },
  {
    name: 'Find who left the voicemail from the end of a number, and leave a note',
    async run(office) {
      const [, ben] = await customersOf(office)
      const agent = await office.agent()

      const { rows } = await agent.call('customers_search', { query: '0178' })
      assert.equal(rows.length, 1)
      const caller = await agent.call('customers_get', { id: rows[0].id })
      assert.equal(caller.contacts[0].phone, '+15125550178')
      await agent.call('notes_create', {
        subject_type: 'customer',
        subject_id: caller.id,
        body: 'Voicemail: please call back about the estimate.',
      })

      const notes = await office.rows('select subject_type, subject_id, body from notes where tenant_id = $1')
      assert.deepEqual(notes, [
        { subject_type: 'customer', subject_id: ben.id, body: 'Voicemail: please call back about the estimate.' },
      ])
    },
  },
  {
    name: "Move Thursday's jobs of one technician to Friday",
    async run(office) {
      const [ana, ben, carla] = await customersOf(office)
      const [tomas, lena] = [await office.person('Tomas Reed', 'tech'), await office.person('Lena Novak', 'tech')]
      const [thursday, friday] = [office.next(4), office.next(4, 1)]
      const book = (customer: { id?: string }, assignee: string, at: string) =>
        office.call('jobs_create', {
          customer_id: customer.id,
          title: 'Filter change',
          scheduled_start: at,
          assignees: [assignee],
        })
      await Promise.all([
        book(ana, tomas.id, `${thursday}T09:00`),
        book(ben, tomas.id, `${thursday}T13:30`),
        book(carla, lena.id, `${thursday}T10:00`),
        book(carla, tomas.id, `${friday}T16:00`),
      ])
      const agent = await office.agent()

      const fields = fieldsIn(await agent.stumble('jobs_list', { technician: 'Tomas Reed', date: thursday }))
      for (const field of ['assignee', 'scheduled_from', 'scheduled_to']) assert.ok(fields.includes(field), field)
      const day = { scheduled_from: thursday, scheduled_to: thursday }
      const assignee = idBehind('Tomas Reed', await agent.stumble('jobs_list', { ...day, assignee: 'Tomas' }))
      const { rows, hasMore } = await agent.call('jobs_list', { ...day, assignee, status: ['scheduled'] })
      assert.equal(hasMore, false)
      for (const { id, scheduled_start, updated_at } of rows) {
        const later = Temporal.Instant.from(scheduled_start).add({ hours: 24 }).toString()
        await agent.call('jobs_update', { id, scheduled_start: later, expected_updated_at: updated_at })
      }

      const startsOf = async ({ id }: { id: string }): Promise<string[]> =>
        (
          await office.rows(
            'select scheduled_start as at from jobs where tenant_id = $1 and $2 = any(assignee_ids) order by scheduled_start',
            id,
          )
        ).map(({ at }) => at.toISOString())
      assert.deepEqual(
        await startsOf(tomas),
        ['09:00', '13:30', '16:00'].map((time) => office.at(friday, time)),
      )
      assert.deepEqual(await startsOf(lena), [office.at(thursday, '10:00')])
    },
  },
  {
    name: 'Mark a job done and invoice it',
    async run(office) {
      const [ana] = await customersOf(office)
      await office.call('tax_rates_create', { name: 'Travis County', rate_percentage: 8.25, is_default: true })
      await office.call('jobs_create', {
        customer_id: ana.id,
        title: 'Replace kitchen faucet',
        scheduled_start: `${office.day(0)}T08:00`,
        line_items: [
          { name: 'Faucet', kind: 'product', unit_price_cents: 18_900 },
          { name: 'Labor', kind: 'labor', quantity: 1.5, unit_price_cents: 12_000 },
        ],
      })
      const agent = await office.agent()

      const {
        rows: [job],
      } = await agent.call('jobs_list', { title: 'faucet' })
      const statuses = choicesIn(await agent.stumble('jobs_update', { id: job.id, status: 'completed' }))
      const status = statuses.find((name) => name === 'done')
      await agent.call('jobs_update', { id: job.id, status })
      const invoice = await agent.call('invoices_create', { customer_id: job.customer_id, from_job_id: job.id })
      await agent.call('invoices_update', { id: invoice.id, status: 'sent' })

      const [done] = await office.rows('select status, completed_at from jobs where tenant_id = $1')
      assert.equal(done!.status, 'done')
      assert.ok(done!.completed_at)
      const invoices = await office.rows(
        'select i.status, i.total_cents::int, j.job_id from invoices i join invoice_jobs j on j.tenant_id = i.tenant_id and j.invoice_id = i.id where i.tenant_id = $1',
      )
      assert.deepEqual(invoices, [{ status: 'sent', total_cents: 39_944, job_id: job.id }])
    },
  },
  {
    name: "A technician's day, with the rights of a technician",
    async run(office) {
      const [ana, ben] = await customersOf(office)
      const tomas = await office.person('Tomas Reed', 'tech', ['read:jobs', 'write:jobs', 'read:customers'])
      for (const [customer, time] of [
        [ben, '13:00'],
        [ana, '09:00'],
      ] as const) {
        await office.call('jobs_create', {
          customer_id: customer.id,
          title: 'Leak',
          scheduled_start: `${office.day(0)}T${time}`,
          assignees: [tomas.id],
        })
      }
      await office.call('jobs_create', {
        customer_id: ana.id,
        title: 'Not his',
        scheduled_start: `${office.day(0)}T11:00`,
      })
      const agent = await office.agentOf(tomas)

      const day = office.day(0)
      const {
        rows: [first, second],
      } = await agent.call('jobs_list', { assignee: tomas.email, scheduled_from: day, scheduled_to: day })
      assert.deepEqual([first.customer_name, second.customer_name], ['Ana Ruiz', 'Ben Okafor'])
      const job = await agent.call('jobs_get', { id: first.id })
      const { access_notes } = await agent.call('locations_get', { id: job.location_id })
      const { phone } = await agent.call('contacts_get', { id: job.contact_id })
      assert.deepEqual([access_notes, phone], ['Gate code 4411', '+15125550143'])
      await agent.call('jobs_update', { id: first.id, status: 'en_route' })
      assert.equal(
        await agent.stumble('invoices_list', { customer_id: first.customer_id }),
        'insufficient_scope: invoices.list needs read:invoices',
      )

      assert.deepEqual(await office.rows("select customer_id from jobs where tenant_id = $1 and status = 'en_route'"), [
        { customer_id: ana.id },
      ])
    },
  },
  {
    name: "Find next week's jobs that nobody has, and give them to someone",
    async run(office) {
      const [ana, ben, carla] = await customersOf(office)
      const lena = await office.person('Lena Novak', 'tech')
      for (const [customer, later] of [
        [ana, 0],
        [ben, 4],
        [carla, 9],
      ] as const) {
        await office.call('jobs_create', {
          customer_id: customer.id,
          title: 'Inspection',
          scheduled_start: `${office.next(1, later)}T09:00`,
        })
      }
      await office.call('jobs_create', {
        customer_id: carla.id,
        title: 'Inspection',
        scheduled_start: `${office.next(1)}T09:00`,
        assignees: [office.owner.id],
      })
      const agent = await office.agent()

      const week = { scheduled_from: office.next(1), scheduled_to: office.next(1, 6) }
      const { rows } = await agent.call('jobs_list', { ...week, unassigned: true })
      const wrong = { assignee: [lena.email] }
      const right = renameField(await agent.stumble('jobs_update', { id: rows[0].id, ...wrong }), wrong)
      for (const { id } of rows) await agent.call('jobs_update', { id, ...right })

      const given = await office.rows(
        'select customer_id from jobs where tenant_id = $1 and assignee_ids = array[$2::uuid] order by scheduled_start',
        lena.id,
      )
      assert.deepEqual(given, [{ customer_id: ana.id }, { customer_id: ben.id }])
    },
  },
  {
    name: 'Call a visit off, and book it anew when the customer thinks again',
    async run(office) {
      const [ana] = await customersOf(office)
      const [tuesday, saturday] = [office.next(2), office.next(6)]
      await office.call('jobs_create', {
        customer_id: ana.id,
        title: 'Boiler service',
        scheduled_start: `${tuesday}T10:00`,
      })
      const agent = await office.agent()

      const {
        rows: [job],
      } = await agent.call('jobs_list', { title: 'boiler', status: ['scheduled'] })
      const calledOff = toolIn(await agent.stumble('jobs_update', { id: job.id, status: 'cancelled' }), agent)
      await agent.call(calledOff, { id: job.id, reason: 'Customer is away' })
      const anew = toolIn(
        await agent.stumble('jobs_update', { id: job.id, scheduled_start: `${saturday}T10:00` }),
        agent,
      )
      await agent.call(anew, { customer_id: job.customer_id, title: job.title, scheduled_start: `${saturday}T10:00` })

      const jobs = await office.rows(
        'select status, scheduled_start, cancel_reason from jobs where tenant_id = $1 order by number',
      )
      assert.deepEqual(
        jobs.map(({ scheduled_start, ...job }) => ({ ...job, at: scheduled_start.toISOString() })),
        [
          { status: 'cancelled', cancel_reason: 'Customer is away', at: office.at(tuesday, '10:00') },
          { status: 'scheduled', cancel_reason: null, at: office.at(saturday, '10:00') },
        ],
      )
    },
  },
]
