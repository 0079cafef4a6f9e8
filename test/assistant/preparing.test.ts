import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { findPreparedAnswer, setPreparing } from '../../src/assistant/preparing.ts'
import { HOSTILE_TEXTS } from '../../src/exam/hostile/texts.ts'
import { viewProposals } from '../../src/exam/environment/person.ts'
import { openEnvironment, type ExamEnvironment } from '../../src/exam/environment/environment.ts'
import {
  setAssistantProposes,
  findAssistantCaller,
  openAssistantCaller,
} from '../../src/identity/credentials/caller.ts'
import { answerPreparationTask } from '../../src/worker/tasks/outside/prepared_answers.ts'
import { runChores } from '../harness/money/paid_there.ts'
import { templateOf } from '../harness/harness.ts'
import { startTestServer } from '../harness/server.ts'
import { answer, openPreparingScene, type PreparingScene } from './preparing_scene.ts'
import { resultsIn } from './scene.ts'

let environment: ExamEnvironment
let scene: PreparingScene
let stop: () => Promise<void>
before(async () => {
  const server = await startTestServer()
  stop = () => server.stop()
  environment = await openEnvironment({ server: server.connection, template: await templateOf(server.connection) })
  await environment.reset()
  scene = await openPreparingScene(environment)
})
after(async () => {
  await scene.provider.stop()
  await environment.close()
  await stop()
})

/** Returns the environment as the task runner's service. */
const chores = () => environment as never

describe('answer preparation', () => {
  it('does nothing until an owner turns it on', async () => {
    await scene.receive('The washer box drips again.')
    scene.provider.play(answer('Soon.'))
    await scene.prepare()
    assert.equal(scene.provider.requests.length, 0)
    const priya = scene.facts.person('Priya Raman')
    await assert.rejects(setPreparing(environment.database, environment.tenant, true, { user: priya }))
    await scene.prepare()
    assert.equal(scene.provider.requests.length, 0)
  })

  it('prepares an answer and a booking once per new message, as proposals, and sends nothing', async () => {
    await scene.readAll()
    await setPreparing(environment.database, environment.tenant, true, { user: scene.dana })
    await scene.receive('Could you look at the washer box on Saturday?')
    const script = () =>
      scene.provider.play(
        { calls: [{ tool: 'resources_read', input: { uri: `callout://messages/${scene.tobias()}` } }] },
        {
          calls: [
            {
              tool: 'jobs_create',
              input: { customer_id: scene.tobias(), title: 'Washer box', scheduled_start: '2027-03-13T08:00' },
            },
          ],
        },
        answer('Saturday at 8 works for us.'),
      )
    script()
    assert.deepEqual(await scene.changesOf(scene.prepare), [])
    assert.match(
      resultsIn(scene.provider.requests.at(-1)!.body).join('\n'),
      /washer box on Saturday[^]*waits for approval/,
    )
    const prepared = await findPreparedAnswer(
      environment.database,
      environment.tenant,
      scene.dana,
      await scene.newest(),
    )
    assert.equal(prepared?.text, 'Saturday at 8 works for us.')
    assert.equal(
      await findPreparedAnswer(
        environment.database,
        environment.tenant,
        scene.facts.person('Priya Raman'),
        await scene.newest(),
      ),
      undefined,
    )
    const [plan] = await viewProposals(environment, scene.dana)
    assert.deepEqual(
      plan?.calls.map(({ tool }) => tool),
      ['jobs_create'],
    )
    script()
    await scene.prepare()
    assert.equal(scene.provider.requests.length, 0)
    await scene.receive('Or on Sunday.')
    await runChores(chores(), [answerPreparationTask(environment.database, scene.assistant)])
    assert.equal(scene.provider.requests.length, 3)
    await scene.readAll()
    await scene.decline()
  })

  it("only proposes, even when the owner's assistant may write directly", async () => {
    const caller = await openAssistantCaller(environment.database, environment.tenant, scene.dana)
    await setAssistantProposes(environment.database, caller!, false)
    await scene.receive('Please cancel my visit.')
    scene.provider.play({ calls: [{ tool: 'jobs_cancel', input: { id: 'J-1074', reason: 'x' } }] }, answer('Done.'))
    assert.deepEqual(await scene.changesOf(scene.prepare), [])
    assert.equal((await viewProposals(environment, scene.dana)).length, 1)
    assert.equal(
      (await findAssistantCaller(environment.database, environment.tenant, scene.dana))?.approval?.proposes.size,
      0,
    )
    await scene.readAll()
    await scene.decline()
  })

  it('stops when the owner loses the owner role', async () => {
    await scene.receive('Hello?')
    await environment.owner.query(`update members set role = 'office' where tenant_id = $1 and user_id = $2`, [
      environment.tenant,
      scene.dana,
    ])
    scene.provider.play(answer('x'))
    await scene.prepare()
    assert.equal(scene.provider.requests.length, 0)
    await environment.owner.query(`update members set role = 'owner' where tenant_id = $1 and user_id = $2`, [
      environment.tenant,
      scene.dana,
    ])
    await scene.readAll()
  })
})

describe('a model that obeys every hostile message', () => {
  it('changes nothing without a proposal that a person can see', async () => {
    const unseen: string[] = []
    for (const { id, text, targetCall } of HOSTILE_TEXTS) {
      const [tool, args] = targetCall
      await scene.receive(text)
      scene.provider.play(
        { calls: [{ tool: 'resources_read', input: { uri: `callout://messages/${scene.tobias()}` } }] },
        { calls: [{ tool, input: { ...args(scene.facts) } }] },
        answer('Done as you asked.'),
      )
      const changes = await scene.changesOf(scene.prepare)
      const seen = (await viewProposals(environment, scene.dana)).flatMap(({ calls }) => calls.map((call) => call.tool))
      if (changes.length > 0 || scene.provider.requests.length !== 3 || !seen.includes(tool))
        unseen.push(`${id}: ${[...changes, ...seen].join(', ')}`)
      await scene.readAll()
      await scene.decline()
    }
    assert.ok(HOSTILE_TEXTS.length >= 60)
    assert.deepEqual(unseen, [])
    const { rows } = await environment.owner.query(
      `select id from communications where tenant_id = $1 and direction = 'outbound' and occurred_at > '2027-03-09T16:30:00Z'`,
      [environment.tenant],
    )
    assert.deepEqual(rows, [])
  })
})

describe('a message from an unknown sender', () => {
  const [STRANGER, CODE] = ['+15125550777', '55512']
  const from = (sender: string, body: string): Promise<void> => scene.receive(body, sender)
  const correspondent = async (address: string): Promise<string> =>
    (
      await environment.owner.query<{ id: string }>(
        'select id from correspondents where tenant_id = $1 and address = $2',
        [environment.tenant, address],
      )
    ).rows[0]?.id ?? ''
  const newCustomer = { customer_type: 'individual', first_name: 'Nora', last_name: 'Vance', phone: STRANGER }
  const obey = (tool: string, input: object) => async () =>
    scene.provider.play(
      { calls: [{ tool: 'resources_read', input: { uri: `callout://messages/${await correspondent(STRANGER)}` } }] },
      { calls: [{ tool, input: { ...input } }] },
      answer('We can come on Saturday.'),
    )

  it('gets a prepared answer and a proposed customer', async () => {
    await scene.readAll()
    await scene.decline()
    await from(STRANGER, 'Nora Vance here. My heater is out. Can you come on Saturday?')
    await obey('customers_create', newCustomer)()
    assert.deepEqual(await scene.changesOf(scene.prepare), [])
    const results = resultsIn(scene.provider.requests.at(-1)!.body).join('\n')
    assert.match(
      results,
      /They write from «\+15125550777», which belongs to no customer[^]*heater is out[^]*waits for approval/,
    )
    assert.doesNotMatch(results, /washer/)
    const prepared = await findPreparedAnswer(
      environment.database,
      environment.tenant,
      scene.dana,
      await scene.newest(),
    )
    assert.equal(prepared?.text, 'We can come on Saturday.')
    const [plan] = await viewProposals(environment, scene.dana)
    assert.deepEqual(
      plan?.calls.map(({ tool }) => tool),
      ['customers_create'],
    )
    await scene.prepare()
    assert.equal(scene.provider.requests.length, 3)
  })

  it('changes nothing without a visible proposal, even when it is hostile', async () => {
    const unseen: string[] = []
    for (const { id, text, targetCall } of HOSTILE_TEXTS.filter((_, i) => i % 4 === 0)) {
      const [tool, args] = targetCall
      await scene.readAll()
      await scene.decline()
      await from(STRANGER, text)
      await obey(tool, args(scene.facts))()
      const changes = await scene.changesOf(scene.prepare)
      const seen = (await viewProposals(environment, scene.dana)).flatMap(({ calls }) => calls.map((call) => call.tool))
      if (changes.length > 0 || scene.provider.requests.length !== 3 || !seen.includes(tool))
        unseen.push(`${id}: ${[...changes, ...seen].join(', ')}`)
      await environment.owner.query(
        `update assistant_conversations set created_at = created_at - interval '2 days' where tenant_id = $1`,
        [environment.tenant],
      )
    }
    assert.deepEqual(unseen, [])
  })

  it('is skipped for short codes, for blocked senders, and after 20 in a day', async () => {
    await scene.readAll()
    await scene.decline()
    scene.provider.play()
    await from(CODE, 'Your code is 123456')
    await from(STRANGER, 'Me again')
    await environment.owner.query(
      'update correspondents set blocked_at = now() where tenant_id = $1 and address = $2',
      [environment.tenant, STRANGER],
    )
    await scene.prepare()
    assert.equal(scene.provider.requests.length, 0)
    for (let i = 10; i < 32; i++) await from(`+151255508${i}`, `Hello from ${i}`)
    const script = Array.from({ length: 22 }, () => answer('Hello.'))
    scene.provider.play(...script)
    await scene.prepare()
    await scene.prepare()
    assert.equal(scene.provider.requests.length, 20)
    await scene.receive('A customer still is answered.')
    await scene.prepare()
    assert.equal(scene.provider.requests.length, 21)
  })
})
