import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openDatabase } from '../../src/platform/db/database.ts'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { MAILBOXES, addChannel } from '../../src/messaging/inbox/directory.ts'
import { queueMessage } from '../../src/messaging/outbox/queue.ts'
import { sendingTasks } from '../../src/worker/tasks/sending.ts'
import { runDue } from '../../src/worker/worker.ts'
import { startKillRounds, wrongOf, type Moment } from '../harness/processes/kill_rounds.ts'
import { startMailServer } from '../harness/messaging/mail_server.ts'
import { SimulatedDeath, dieAt, countSteps } from '../harness/processes/simulated_death.ts'
import { MAIL, openOutboxScene } from '../harness/messaging/outbox_scene.ts'
import { captureLines } from '../harness/processes/workers.ts'

describe('a process killed while sending never sends a message twice', () => {
  let killings: Awaited<ReturnType<typeof startKillRounds>>
  before(async () => void (killings = await startKillRounds()))
  after(() => killings.stop())

  const rounds: [channel: 'email' | 'sms', moment: Moment, states: string[]][] = [
    ['email', 'before it is taken', ['uncertain']],
    ['email', 'after it was taken', ['uncertain']],
    ['sms', 'after it was taken', ['uncertain']],
  ]
  for (const [channel, moment, states] of rounds)
    it(`${typeof moment === 'number' ? `before step ${moment}` : moment}: marks the ${channel} uncertain`, async () => {
      const round = await killings.round(channel, moment)
      assert.equal(round.survived, false)
      assert.equal(wrongOf(round), undefined)
      assert.ok(states.includes(round.state), round.state)
    })
})

describe('a process that dies before any step of sending an email', () => {
  it('leaves the email sent once or uncertain', async () => {
    const server = await startMailServer()
    const office = await openOutboxScene({ mailServer: server.config })
    try {
      const seen = new Set<string>()
      for (let last = 1, isOver = false; !isOver; last++) {
        const tenant = await office.shop.tenant()
        await addChannel(office.shop.database, MAILBOXES, tenant, `office${last}@alder.example`)
        const { id } = await writeTenant(office.shop.database, { tenant }, (db) =>
          queueMessage(db, { ...MAIL, body: `step ${last};` }),
        )
        const pool = openDatabase(office.shop.login, { maxConnections: 2 })
        const { database, between } = countSteps(pool, dieAt(last))
        const { email } = office.senders
        const senders = {
          ...office.senders,
          email: {
            ...email!,
            send: (...given: Parameters<NonNullable<typeof email>['send']>) => between(() => email!.send(...given)),
          },
        }
        const context = {
          database,
          log: captureLines().log,
          clock: office.shop.clock,
          stopping: new AbortController().signal,
        }
        isOver = await runDue(context, sendingTasks(senders)).then(
          () => true,
          (error: unknown) => {
            assert.ok(error instanceof SimulatedDeath || String(error).includes('Died'))
            return false
          },
        )
        await pool.close()
        await office.shop.undone()
        office.shop.pass({ minutes: 3 })
        await office.run()
        const taken = server.taken.filter(({ mail }) => mail.text!.includes(`step ${last};`)).length
        const [{ state }] = (await office.read<{ state: string }>(
          sql`select state from outbox where tenant_id = ${tenant} and id = ${id}`,
          tenant,
        )) as [{ state: string }]
        assert.equal(
          wrongOf({ channel: 'email', moment: last, survived: isOver, taken, state }),
          undefined,
          `step ${last}`,
        )
        if (taken === 1) assert.ok(['handed_over', 'uncertain'].includes(state), state)
        seen.add(`${state} ${taken}`)
      }
      assert.deepEqual([...seen].sort(), ['handed_over 1', 'uncertain 0', 'uncertain 1'])
    } finally {
      await office.stop()
      await server.stop()
    }
  })
})
