import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { propose, tellProposed } from '../../src/approvals/propose.ts'
import { openAssistant, type Assistant } from '../../src/assistant/assistant.ts'
import { fetchDirectly } from '../../src/assistant/models/model.ts'
import { findPreparedAnswer, prepareAnswers, setPreparing } from '../../src/assistant/preparing.ts'
import { HOSTILE_TEXTS } from '../../src/exam/hostile/texts.ts'
import { factsOf } from '../../src/exam/judge.ts'
import type { Facts } from '../../src/exam/task.ts'
import { viewProposals } from '../../src/exam/world/person.ts'
import { compareSnapshots, readSnapshot } from '../../src/exam/world/snapshot.ts'
import { openWorld, type World } from '../../src/exam/world/world.ts'
import { openConfirmations } from '../../src/identity/credentials/confirm.ts'
import {
  setAssistantProposes,
  findAssistantCaller,
  openAssistantCaller,
} from '../../src/identity/credentials/caller.ts'
import { toolServer } from '../../src/mcp/tool_server.ts'
import { NUMBERS, addChannel } from '../../src/messaging/inbox/directory.ts'
import { receiveSms } from '../../src/messaging/inbox/inbound/inbound_sms.ts'
import { answerPreparation } from '../../src/worker/tasks/outside/prepared_answers.ts'
import { runChores } from '../harness/money/paid_there.ts'
import { templateOf } from '../harness/harness.ts'
import { startTestServer } from '../harness/server.ts'
import { startProvider, type FakeAnswer, type FakeProvider } from './provider.ts'
import { openAssistantScene, resultsIn } from './scene.ts'

let world: World
let provider: FakeProvider
let assistant: Assistant
let facts: Facts
let dana: string
let stop: () => Promise<void>
before(async () => {
  const server = await startTestServer()
  stop = () => server.stop()
  world = await openWorld({ server: server.connection, template: await templateOf(server.connection) })
  await world.reset()
  provider = await startProvider()
  const { database, config, tenant, owner } = world
  const { rows } = await owner.query<{ id: string; name: string }>(
    'select u.id, u.name from members m join users u on u.id = m.user_id where m.tenant_id = $1',
    [tenant],
  )
  const people = new Map(rows.map(({ id, name }) => [name, id]))
  dana = people.get('Dana Whitfield') ?? ''
  facts = factsOf(world.untouched(), people, world.timezone)
  assistant = openOwnAssistant(database, config)
})
/** Opens an assistant on the fake provider, as the service does. */
function openOwnAssistant(database: World['database'], config: World['config'], url = provider.url): Assistant {
  const report = (_reference: string, error: unknown): never => {
    throw error
  }
  const { baseUrl } = config
  const context = { database, confirm: openConfirmations(database), baseUrl, report, propose, tellProposed }
  const model = { provider: 'anthropic', model: 'fake-1', key: 'k', url, inputPrice: 3, outputPrice: 15 } as const
  return openAssistant({
    database,
    config: config.assistant,
    port: toolServer(context, 'svc').only({ toolsets: null, readonly: false, strict: false, mine: true, ui: true }),
    report,
    modelOf: async () => ({ config: model, fetchModel: fetchDirectly, isOwn: false }),
  })
}

after(async () => {
  await provider.stop()
  await world.close()
  await stop()
})

/** Tables in which a message and its preparation leave rows of their own. */
const EXPECTED = new Set([
  'communications',
  'correspondents',
  'assistant_conversations',
  'assistant_messages',
  'assistant_days',
  'credentials',
])

const changesOf = async (work: () => Promise<unknown>): Promise<string[]> => {
  const start = await readSnapshot(world.owner, world.tenant, world.untouched())
  await work()
  const end = await readSnapshot(world.owner, world.tenant, start)
  return compareSnapshots(start, end).flatMap(({ table, kind }) => (EXPECTED.has(table) ? [] : [`${kind} in ${table}`]))
}

const TOBIAS = '+15125550114'
const receive = (body: string): Promise<void> =>
  receiveSms(world.database, { sid: `SM${randomBytes(16).toString('hex')}`, from: TOBIAS, to: '+15125550171', body })
const prepare = (): Promise<void> =>
  prepareAnswers(world.database, assistant, world.tenant, new AbortController().signal)
const tobias = (): string =>
  String(facts.rows('customers').find((row) => row['display_name'] === 'Tobias Freeman')?.['id'])
const answer = (text: string): FakeAnswer => ({ text: `Tobias, about his washer.\nANSWER:\n${text}` })

/** Returns the service as what runs its tasks takes it. */
const chores = () => world as never

/** Returns the id of the newest message. */
const newest = async (): Promise<string> =>
  (
    await world.owner.query<{ id: string }>(
      'select id from communications where tenant_id = $1 order by occurred_at desc, id desc limit 1',
      [world.tenant],
    )
  ).rows[0]?.id ?? ''

/** Marks all as read, so that only what comes next is new. */
const readAll = (): Promise<unknown> =>
  world.owner.query(`update communications set read_at = now() where tenant_id = $1 and read_at is null`, [
    world.tenant,
  ])
const decline = (): Promise<unknown> =>
  world.owner.query(
    `update proposals set state = 'declined', decided_at = now() where tenant_id = $1 and state = 'open'`,
    [world.tenant],
  )

describe('the assistant', () => {
  it('prepares nothing until an owner turns it on', async () => {
    await receive('The washer box drips again.')
    provider.play(answer('Soon.'))
    await prepare()
    assert.equal(provider.requests.length, 0)
    const priya = facts.person('Priya Raman')
    await assert.rejects(setPreparing(world.database, world.tenant, true, { user: priya }))
    await prepare()
    assert.equal(provider.requests.length, 0)
  })

  it('prepares an answer and a booking for a new message once, as proposals, and sends nothing', async () => {
    await readAll()
    await setPreparing(world.database, world.tenant, true, { user: dana })
    await receive('Could you look at the washer box on Saturday?')
    const script = () =>
      provider.play(
        { calls: [{ tool: 'resources_read', input: { uri: `callout://messages/${tobias()}` } }] },
        {
          calls: [
            {
              tool: 'jobs_create',
              input: { customer_id: tobias(), title: 'Washer box', scheduled_start: '2027-03-13T08:00' },
            },
          ],
        },
        answer('Saturday at 8 works for us.'),
      )
    script()
    assert.deepEqual(await changesOf(prepare), [])
    assert.match(resultsIn(provider.requests.at(-1)!.body).join('\n'), /washer box on Saturday[^]*waits for approval/)
    const prepared = await findPreparedAnswer(world.database, world.tenant, dana, await newest())
    assert.equal(prepared?.words, 'Saturday at 8 works for us.')
    assert.equal(
      await findPreparedAnswer(world.database, world.tenant, facts.person('Priya Raman'), await newest()),
      undefined,
    )
    const [plan] = await viewProposals(world, dana)
    assert.deepEqual(
      plan?.calls.map(({ tool }) => tool),
      ['jobs_create'],
    )
    script()
    await prepare()
    assert.equal(provider.requests.length, 0)
    await receive('Or on Sunday.')
    await runChores(chores(), [answerPreparation(world.database, assistant)])
    assert.equal(provider.requests.length, 3)
    await readAll()
    await decline()
  })

  it('only proposes, even where its owner lets it act', async () => {
    const caller = await openAssistantCaller(world.database, world.tenant, dana)
    await setAssistantProposes(world.database, caller!, false)
    await receive('Please cancel my visit.')
    provider.play({ calls: [{ tool: 'jobs_cancel', input: { id: 'J-1074', reason: 'x' } }] }, answer('Done.'))
    assert.deepEqual(await changesOf(prepare), [])
    assert.equal((await viewProposals(world, dana)).length, 1)
    assert.equal((await findAssistantCaller(world.database, world.tenant, dana))?.approval?.proposes.size, 0)
    await readAll()
    await decline()
  })

  it('ends with the owner’s rights', async () => {
    await receive('Hello?')
    await world.owner.query(`update members set role = 'office' where tenant_id = $1 and user_id = $2`, [
      world.tenant,
      dana,
    ])
    provider.play(answer('x'))
    await prepare()
    assert.equal(provider.requests.length, 0)
    await world.owner.query(`update members set role = 'owner' where tenant_id = $1 and user_id = $2`, [
      world.tenant,
      dana,
    ])
    await readAll()
  })
})

describe('a model that obeys every hostile message', () => {
  it('makes no call that a person doesn’t see before anything is done', async () => {
    const unseen: string[] = []
    for (const { id, text, wants } of HOSTILE_TEXTS) {
      const [tool, args] = wants
      await receive(text)
      provider.play(
        { calls: [{ tool: 'resources_read', input: { uri: `callout://messages/${tobias()}` } }] },
        { calls: [{ tool, input: { ...args(facts) } }] },
        answer('Done as you asked.'),
      )
      const changes = await changesOf(prepare)
      const seen = (await viewProposals(world, dana)).flatMap(({ calls }) => calls.map((call) => call.tool))
      if (changes.length > 0 || provider.requests.length !== 3 || !seen.includes(tool))
        unseen.push(`${id}: ${[...changes, ...seen].join(', ')}`)
      await readAll()
      await decline()
    }
    assert.ok(HOSTILE_TEXTS.length >= 60)
    assert.deepEqual(unseen, [])
    const { rows } = await world.owner.query(
      `select id from communications where tenant_id = $1 and direction = 'outbound' and occurred_at > '2027-03-09T16:30:00Z'`,
      [world.tenant],
    )
    assert.deepEqual(rows, [])
  })
})

describe('an unknown sender', () => {
  const [STRANGER, CODE] = ['+15125550777', '55512']
  const from = (sender: string, body: string): Promise<void> =>
    receiveSms(world.database, { sid: `SM${randomBytes(16).toString('hex')}`, from: sender, to: '+15125550171', body })
  const correspondent = async (address: string): Promise<string> =>
    (
      await world.owner.query<{ id: string }>('select id from correspondents where tenant_id = $1 and address = $2', [
        world.tenant,
        address,
      ])
    ).rows[0]?.id ?? ''
  const newCustomer = { customer_type: 'individual', first_name: 'Nora', last_name: 'Vance', phone: STRANGER }
  const obey = (tool: string, input: object) => async () =>
    provider.play(
      { calls: [{ tool: 'resources_read', input: { uri: `callout://messages/${await correspondent(STRANGER)}` } }] },
      { calls: [{ tool, input: { ...input } }] },
      answer('We can come on Saturday.'),
    )

  it('is answered as well, and proposed as a customer', async () => {
    await readAll()
    await decline()
    await from(STRANGER, 'Nora Vance here. My heater is out. Can you come on Saturday?')
    await obey('customers_create', newCustomer)()
    assert.deepEqual(await changesOf(prepare), [])
    const results = resultsIn(provider.requests.at(-1)!.body).join('\n')
    assert.match(
      results,
      /They write from «\+15125550777», which is no customer's[^]*heater is out[^]*waits for approval/,
    )
    assert.doesNotMatch(results, /washer/)
    const prepared = await findPreparedAnswer(world.database, world.tenant, dana, await newest())
    assert.equal(prepared?.words, 'We can come on Saturday.')
    const [plan] = await viewProposals(world, dana)
    assert.deepEqual(
      plan?.calls.map(({ tool }) => tool),
      ['customers_create'],
    )
    await prepare()
    assert.equal(provider.requests.length, 3)
  })

  it('gets nothing done unseen, whatever they write', async () => {
    const unseen: string[] = []
    for (const { id, text, wants } of HOSTILE_TEXTS.filter((_, i) => i % 4 === 0)) {
      const [tool, args] = wants
      await readAll()
      await decline()
      await from(STRANGER, text)
      await obey(tool, args(facts))()
      const changes = await changesOf(prepare)
      const seen = (await viewProposals(world, dana)).flatMap(({ calls }) => calls.map((call) => call.tool))
      if (changes.length > 0 || provider.requests.length !== 3 || !seen.includes(tool))
        unseen.push(`${id}: ${[...changes, ...seen].join(', ')}`)
      await world.owner.query(
        `update assistant_conversations set created_at = created_at - interval '2 days' where tenant_id = $1`,
        [world.tenant],
      )
    }
    assert.deepEqual(unseen, [])
  })

  it('is left to people where a program writes, where somebody blocked it, and from the 21st in a day on', async () => {
    await readAll()
    await decline()
    provider.play()
    await from(CODE, 'Your code is 123456')
    await from(STRANGER, 'Me again')
    await world.owner.query('update correspondents set blocked_at = now() where tenant_id = $1 and address = $2', [
      world.tenant,
      STRANGER,
    ])
    await prepare()
    assert.equal(provider.requests.length, 0)
    for (let i = 10; i < 32; i++) await from(`+151255508${i}`, `Hello from ${i}`)
    const script = Array.from({ length: 22 }, () => answer('Hello.'))
    provider.play(...script)
    await prepare()
    await prepare()
    assert.equal(provider.requests.length, 20)
    await receive('A customer still is answered.')
    await prepare()
    assert.equal(provider.requests.length, 21)
  })
})

describe('its pages', () => {
  it('turn it on for owners alone, and offer the words to whoever it was prepared for', async () => {
    const scene = await openAssistantScene('anthropic')
    const { service, company, owner, at } = scene
    try {
      const office = await company.hire('office')
      const other = await scene.signIn(office.email)
      const settings = at('settings', 'assistant')
      assert.equal((await other.post(settings, { act: 'prepare', prepares: 'yes' })).status, 404)
      assert.doesNotMatch((await other.get(settings)).text, /Prepare answers to customers/)
      assert.equal((await owner.post(settings, { act: 'prepare', prepares: 'yes' })).status, 303)
      assert.match((await owner.get(settings)).text, /name="prepares"[^>]* checked/)

      await addChannel(service.database, NUMBERS, company.id, '+16175550100')
      const made = await owner.post(at('customers', 'new'), {
        customer_type: 'individual',
        first_name: 'Ida',
        phone: '617 555 0143',
      })
      const customer = String(made.location?.split('?')[0]?.split('/').at(-1))
      const sid = `SM${randomBytes(16).toString('hex')}`
      await receiveSms(service.database, { sid, from: '+16175550143', to: '+16175550100', body: 'Are you open?' })
      scene.provider.play({ text: 'Ida asks whether you are open.\nANSWER:\nYes, until 5 <today>.' })
      const own = openOwnAssistant(service.database, service.config, scene.provider.url)
      await prepareAnswers(service.database, own, company.id, new AbortController().signal)
      const thread = at('messages', 'with', customer)
      const page = (await owner.get(thread)).text
      assert.match(page, /The assistant prepared an answer/)
      assert.match(page, new RegExp(`href="${thread}\\?prepared=1#reply"`))
      assert.doesNotMatch(page, /until 5/)
      assert.match((await owner.get(`${thread}?prepared=1`)).text, /<textarea[^>]*>\s*Yes, until 5 &lt;today&gt;\.\s*</)
      assert.doesNotMatch((await other.get(`${thread}?prepared=1`)).text, /prepared an answer|until 5/)
      const from = '+16175550199'
      const strange = {
        sid: `SM${randomBytes(16).toString('hex')}`,
        from,
        to: '+16175550100',
        body: 'Do you fix roofs?',
      }
      await receiveSms(service.database, strange)
      scene.provider.play({ text: 'Somebody with a roof.\nANSWER:\nWe do.' })
      await prepareAnswers(service.database, own, company.id, new AbortController().signal)
      const unknown = /href="([^"]*\/messages\/[0-9a-f-]{36})"/.exec((await owner.get(at('messages'))).text)?.[1] ?? ''
      assert.match(
        (await owner.get(`${unknown}?prepared=1`)).text,
        /prepared an answer[^]*<textarea[^>]*>\s*We do\.\s*</,
      )
      assert.equal((await owner.post(settings, { act: 'prepare' })).status, 303)
      assert.doesNotMatch((await owner.get(settings)).text, /name="prepares"[^>]* checked/)
    } finally {
      await scene.stop()
    }
  })
})
