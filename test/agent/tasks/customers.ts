import assert from 'node:assert/strict'
import { read, toolIn } from './following.ts'
import type { Task } from './office.ts'

export const customers: readonly Task[] = [
  {
    name: 'Take in a company with two sites and a site manager',
    async run(office) {
      const agent = await office.agent()

      const sites = [
        {
          name: 'Clinic',
          address_line1: '1200 Barton Springs Road',
          city: 'Austin',
          region: 'TX',
          postal_code: '78704',
        },
        {
          name: 'Laboratory',
          address_line1: '44 East Avenue',
          city: 'Austin',
          region: 'TX',
          postal_code: '78701',
          access_notes: 'Ring twice',
        },
      ]
      const manager = {
        first_name: 'Guadalupe',
        last_name: 'Villarreal',
        role_label: 'Site manager',
        phone: '555-0164',
      }
      const given = { customer_type: 'company', locations: sites, contacts: [manager] }
      const unknown = await agent.stumble('customers_create', { ...given, name: 'Barton Dental' })
      read(unknown, /unknown field 'name' \(did you mean .*'company_name'\?\)/)
      const message = await agent.stumble('customers_create', { ...given, company_name: 'Barton Dental' })
      assert.match(
        message,
        /contacts\[0\]\.phone must be a phone number with area code, or with country code such as \+44 20 7946 0958 \(got '555-0164'\)/,
      )
      const made = await agent.call('customers_create', {
        ...given,
        company_name: 'Barton Dental',
        contacts: [{ ...manager, phone: '(512) 555-0164' }],
      })
      assert.match(made.url, /\/customers\//)

      assert.deepEqual(await office.rows('select display_name, customer_type from customers where tenant_id = $1'), [
        { display_name: 'Barton Dental', customer_type: 'company' },
      ])
      assert.deepEqual(
        await office.rows(
          'select name, is_primary, access_notes from locations where tenant_id = $1 order by created_at, id',
        ),
        [
          { name: 'Clinic', is_primary: true, access_notes: null },
          { name: 'Laboratory', is_primary: false, access_notes: 'Ring twice' },
        ],
      )
      assert.deepEqual(await office.rows('select first_name, phone, is_primary from contacts where tenant_id = $1'), [
        { first_name: 'Guadalupe', phone: '+15125550164', is_primary: true },
      ])
    },
  },
  {
    name: 'Notice that a new customer is there already, and go on with the old one',
    async run(office) {
      const old = await office.call('customers_create', {
        customer_type: 'individual',
        first_name: 'José',
        last_name: 'Ñandú',
        phone: '512-555-0190',
      })
      const agent = await office.agent()

      const made = await agent.call('customers_create', {
        customer_type: 'individual',
        first_name: 'Jose',
        last_name: 'Nandu',
        phone: '(512) 555-0190',
      })
      const [, name, id] = read(
        made.warnings[0],
        /also belongs to customer «(.+)» \(([0-9a-f-]+)\); check whether it is the same customer$/,
      )
      assert.equal(name, 'José Ñandú')
      await agent.call('customers_archive', { id: made.id })
      await agent.call('jobs_create', { customer_id: id, title: 'Gutter cleaning' })

      assert.deepEqual(await office.rows('select id from customers where tenant_id = $1 and archived_at is null'), [
        { id: old.id },
      ])
      assert.deepEqual(await office.rows('select customer_id, title from jobs where tenant_id = $1'), [
        { customer_id: old.id, title: 'Gutter cleaning' },
      ])
    },
  },
  {
    name: 'Leave a note, and find it again by a word of it',
    async run(office) {
      const made = await office.call('customers_create', {
        customer_type: 'individual',
        first_name: 'Carla',
        last_name: 'Diaz',
      })
      for (const body of ['Prefers mornings.', 'Dog in the yard.', 'Pays by check.']) {
        await office.call('notes_create', { body, subject_type: 'customer', subject_id: made.id })
      }
      const agent = await office.agent()

      const {
        rows: [customer],
      } = await agent.call('customers_search', { query: 'carla diaz' })
      await agent.call('notes_create', {
        subject_type: 'customer',
        subject_id: customer.id,
        body: 'Shut-off valve is behind the washing machine, turn it twice.',
      })
      const missing = await agent.stumble('notes_list', { subject_id: customer.id, query: 'valve' })
      assert.match(missing, /subject_type is required with subject_id/)
      const { rows } = await agent.call('notes_list', {
        subject_type: 'customer',
        subject_id: customer.id,
        query: 'valve',
      })
      assert.equal(rows.length, 1)
      assert.match((await agent.call('notes_get', { id: rows[0].id })).body, /behind the washing machine/)

      const [kept] = await office.rows(`select n.body, u.name as author from notes n join users u on u.id = n.created_by
        where n.tenant_id = $1 order by n.created_at desc, n.id desc limit 1`)
      assert.deepEqual(kept, {
        body: 'Shut-off valve is behind the washing machine, turn it twice.',
        author: 'Mia Chen',
      })
    },
  },
  {
    name: 'Find a record again that is no longer there',
    async run(office) {
      const twin = { customer_type: 'individual', first_name: 'Ana', last_name: 'Ruiz' }
      const [first, second] = [
        await office.call('customers_create', twin),
        await office.call('customers_create', { ...twin, phone: '512-555-0143' }),
      ]
      const agent = await office.agent()

      const { rows } = await agent.call('customers_search', { query: 'Ana Ruiz' })
      assert.equal(rows.length, 2)
      await office.call('customers_archive', { id: first.id })
      const seen = rows.find(({ primary_phone }: { primary_phone?: string }) => primary_phone === undefined)
      const finder = toolIn(await agent.stumble('customers_update', { id: seen.id, lead_source: 'Referral' }), agent)
      const {
        rows: [left],
      } = await agent.call(finder, { query: 'Ana Ruiz' })
      await agent.call('customers_update', { id: left.id, lead_source: 'Referral' })

      assert.deepEqual(
        await office.rows('select id, lead_source from customers where tenant_id = $1 and archived_at is null'),
        [{ id: second.id, lead_source: 'Referral' }],
      )
    },
  },
]
