import assert from 'node:assert/strict'
import type { Office, Task } from './tasks/office.ts'

async function jobOf({ call }: Office) {
  const { id: customer_id } = await call('customers_create', {
    customer_type: 'individual',
    first_name: 'Ana',
    last_name: 'Ruiz',
  })
  return call('jobs_create', { customer_id, title: 'Replace thermostat', instructions: 'Bring a ladder.' })
}

export const safety: readonly Task[] = [
  {
    name: 'Go on after someone else changed the record',
    async run(office) {
      const made = await jobOf(office)
      const agent = await office.agent()

      const {
        rows: [row],
      } = await agent.call('jobs_list', { title: 'thermostat' })
      const seen = await agent.call('jobs_get', { id: row.id })
      await office.call('jobs_update', { id: made.id, instructions: 'Bring a ladder. Call first.' })
      const updateOf = ({ instructions, updated_at }: Record<string, string>) => ({
        id: row.id,
        instructions: `${instructions} Park in the back.`,
        expected_updated_at: updated_at,
      })
      assert.match(
        await agent.stumble('jobs_update', updateOf(seen)),
        /^conflict: the record changed: .*; get it again and decide whether to retry$/,
      )
      await agent.call('jobs_update', updateOf(await agent.call('jobs_get', { id: row.id })))

      assert.deepEqual(await office.rows('select instructions from jobs where tenant_id = $1'), [
        { instructions: 'Bring a ladder. Call first. Park in the back.' },
      ])
    },
  },
  {
    name: 'Send a booking again whose answer was lost',
    async run(office) {
      await office.call('customers_create', { customer_type: 'individual', first_name: 'Ana', last_name: 'Ruiz' })
      const agent = await office.agent()

      const {
        rows: [customer],
      } = await agent.call('customers_search', { query: 'Ana Ruiz' })
      const booking = { customer_id: customer.id, title: 'Replace thermostat', idempotency_key: 'call-0417' }
      await agent.call('jobs_create', booking)
      const job = await agent.call('jobs_create', booking)
      const other = { ...booking, title: 'Clean gutters' }
      assert.match(
        await agent.stumble('jobs_create', other),
        /idempotency_key 'call-0417' was used with other arguments; send a new key for a new record$/,
      )
      await agent.call('jobs_create', { ...other, idempotency_key: 'call-0418' })

      const jobs = await office.rows('select id, title from jobs where tenant_id = $1 order by number')
      assert.deepEqual(
        jobs.map(({ title }) => title),
        ['Replace thermostat', 'Clean gutters'],
      )
      assert.equal(jobs[0]!.id, job.id)
    },
  },
]
