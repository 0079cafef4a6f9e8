import assert from 'node:assert/strict'
import { choicesIn, dayAsAsked, idBehind, read, toolIn } from './following.ts'
import { toDottedDate, type Office, type Task } from './office.ts'

const makeCustomer = ({ call }: Office, company_name: string) =>
  call('customers_create', {
    customer_type: 'company',
    company_name,
    locations: [{ address_line1: '400 Congress Avenue', city: 'Austin', region: 'TX' }],
  })

export const recurring: readonly Task[] = [
  {
    name: 'Set up a weekly visit',
    async run(office) {
      const { id } = await makeCustomer(office, 'Barton Dental')
      const lena = await office.person('Lena Novak', 'tech')
      const tuesday = office.next(2)
      const agent = await office.agent()

      const {
        rows: [customer],
      } = await agent.call('customers_search', { query: 'Barton Dental' })
      const wish = {
        customer_id: customer.id,
        title: 'Aquarium service',
        rrule: 'FREQ=WEEKLY;BYDAY=TU',
        assignees: [lena.email],
      }
      const refused = await agent.stumble('job_series_create', { ...wish, dtstart: `${toDottedDate(tuesday)} 09:00` })
      read(refused, /dtstart: '.* 09:00' is not a valid start; use \d{4}-\d\d-\d\dT\d\d:\d\d/)
      const series = await agent.call('job_series_create', { ...wish, dtstart: `${tuesday}T09:00` })
      assert.match(series.rule_text, /^weekly on Tuesday/)
      const { rows } = await agent.call('jobs_list', { seriesId: series.id, sort: 'scheduled_asc', limit: 3 })
      assert.equal(rows[0].scheduled_start, office.at(tuesday, '09:00'))

      const [kept] = await office.rows(
        'select rrule, status, customer_id, assignee_ids from job_series where tenant_id = $1',
      )
      assert.deepEqual(kept, {
        rrule: 'FREQ=WEEKLY;BYDAY=TU',
        status: 'active',
        customer_id: id,
        assignee_ids: [lena.id],
      })
      assert.equal(
        (await office.rows('select id from jobs where tenant_id = $1 and series_id is not null')).length,
        series.generated.count,
      )
    },
  },
  {
    name: 'End a series after the holidays',
    async run(office) {
      const { id: customer_id } = await makeCustomer(office, 'Lakeside Church')
      const last = office.day(40)
      const made = await office.call('job_series_create', {
        customer_id,
        title: 'Floor care',
        rrule: 'FREQ=WEEKLY',
        dtstart: `${office.day(1)}T07:00`,
      })
      await office.call('job_series_create', {
        customer_id,
        title: 'Window cleaning',
        rrule: 'FREQ=MONTHLY',
        dtstart: `${office.day(3)}T07:00`,
      })
      const agent = await office.agent()

      const {
        rows: [customer],
      } = await agent.call('customers_search', { query: 'lakeside' })
      const { rows } = await agent.call('job_series_list', { customer_id: customer.id, status: 'active' })
      const series = rows.find(({ title }: { title: string }) => title === 'Floor care')
      const end = toolIn(await agent.stumble('job_series_update', { id: series.id, status: 'ended' }), agent)
      const wish = { id: series.id, end_date: toDottedDate(last) }
      const ended = await agent.call(end, {
        ...wish,
        end_date: dayAsAsked(await agent.stumble(end, wish), wish.end_date),
      })
      assert.equal(ended.status, 'ended')

      const jobs = await office.rows(
        "select status, (scheduled_start at time zone 'America/New_York')::date::text as day from jobs where tenant_id = $1 and series_id = $2",
        made.id,
      )
      assert.ok(jobs.some(({ status }) => status === 'cancelled'))
      for (const { status, day } of jobs) assert.equal(status, day > last ? 'cancelled' : 'scheduled', day)
      assert.deepEqual(await office.rows("select title from job_series where tenant_id = $1 and status = 'active'"), [
        { title: 'Window cleaning' },
      ])
    },
  },
  {
    name: 'Pause a plan and resume it',
    async run(office) {
      const { id: customer_id } = await makeCustomer(office, 'Barton Dental')
      await office.call('plans_create', {
        customer_id,
        name: 'Gold maintenance',
        cadence: 'monthly',
        start_date: office.day(5),
        line_items: [{ name: 'Visit', unit_price_cents: 9_900 }],
      })
      const status = async () =>
        (await office.rows('select status, next_run_date::text from plans where tenant_id = $1'))[0]!
      const agent = await office.agent()

      const {
        rows: [customer],
      } = await agent.call('customers_search', { query: 'barton' })
      const {
        rows: [plan],
      } = await agent.call('plans_list', { customer_id: customer.id })
      const choices = choicesIn(await agent.stumble('plans_update', { id: plan.id, status: 'on_hold' }))
      assert.deepEqual(choices, ['active', 'paused'])
      await agent.call('plans_update', { id: plan.id, status: choices[1] })
      assert.deepEqual(await status(), { status: 'paused', next_run_date: null })
      await agent.call('plans_update', { id: plan.id, status: choices[0] })

      assert.deepEqual(await status(), { status: 'active', next_run_date: office.day(5) })
    },
  },
  {
    name: 'Let a customer go who still has a plan and a series',
    async run(office) {
      const { id: customer_id } = await makeCustomer(office, 'Old Mill Cafe')
      await office.call('plans_create', {
        customer_id,
        name: 'Silver maintenance',
        cadence: 'annual',
        line_items: [{ name: 'Visit', unit_price_cents: 9_900 }],
      })
      await office.call('job_series_create', {
        customer_id,
        title: 'Filter change',
        rrule: 'FREQ=MONTHLY',
        dtstart: `${office.day(1)}T07:00`,
      })
      const agent = await office.agent()

      const {
        rows: [customer],
      } = await agent.call('customers_search', { query: 'old mill' })
      const message = await agent.stumble('customers_archive', { id: customer.id })
      const [plan, series] = [
        idBehind('plan «Silver maintenance»', message),
        idBehind('job series «Filter change»', message),
      ]
      for (const [tool, id] of [
        ['plans_cancel', plan],
        ['job_series_end', series],
      ] as const) {
        assert.ok(message.includes(tool), message)
        await agent.call(tool, { id })
      }
      await agent.call('customers_archive', { id: customer.id })

      assert.deepEqual(
        await office.rows('select archived_at is not null as archived from customers where tenant_id = $1'),
        [{ archived: true }],
      )
      assert.deepEqual(await office.rows("select id from jobs where tenant_id = $1 and status = 'scheduled'"), [])
    },
  },
]
