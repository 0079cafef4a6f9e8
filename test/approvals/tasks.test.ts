import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  CreateTaskResultV2Schema,
  GetTaskResultV2Schema,
  TASKS_EXTENSION_ID_V2,
  hasTaskServerCapabilityV2,
} from '@modelcontextprotocol/ext-tasks/core/v2'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { newProtocolClient } from '../harness/clients/protocol.ts'
import { decide, formIn, openScene, type SceneCompany } from './scene.ts'

let scene: Awaited<ReturnType<typeof openScene>>
let company: SceneCompany
before(async () => {
  scene = await openScene()
  company = await scene.startCompany('Comfort Air')
})
after(() => scene.service.stop())

const TASKS = { extensions: { [TASKS_EXTENSION_ID_V2]: {} } }
const by = (key: string, capabilities: object = TASKS) => newProtocolClient(scene.service.url, key, {}, capabilities)
const callTaskMethod = (method: string, taskId: string, key: string, capabilities: object = TASKS, more: object = {}) =>
  newProtocolClient(scene.service.url, key, { 'mcp-name': taskId }, capabilities).stateless(method, { taskId, ...more })

/** Proposes a customer as a client that supports tasks. */
async function propose(key: string, first_name: string, capabilities: object = TASKS) {
  const { result } = await by(key, capabilities).stateless('tools/call', {
    name: 'customers_create',
    arguments: { customer_type: 'individual', first_name },
  })
  return CreateTaskResultV2Schema.parse(result)
}

const readTask = async (key: string, taskId: string, capabilities?: object) =>
  GetTaskResultV2Schema.parse((await callTaskMethod('tasks/get', taskId, key, capabilities)).result)

const pageOf = (taskId: string): string => company.at('proposals', taskId.split('.')[0]!)

async function finish(taskId: string, fields: [string, string][]): Promise<void> {
  const path = pageOf(taskId)
  const form = formIn(await company.owner.get(path))
  await decide(company.owner, path, [...form, ...fields], scene.service.config.baseUrl)
}

describe('a waiting call of a client that supports tasks', () => {
  it('is a working task with the link to the proposal, and completes with the result once approved', async () => {
    const { key, call } = await company.keyOf(company.ownerId)
    const { result } = await by(key).stateless('server/discover')
    assert.ok(hasTaskServerCapabilityV2(result!['capabilities']))
    const task = await propose(key, 'Ana')
    assert.equal(task.status, 'working')
    assert.match(task.statusMessage ?? '', /^waits for approval at \S+; proposed: Create a customer/)
    const waiting = await readTask(key, task.taskId)
    assert.equal(waiting.status, 'working')
    assert.ok(waiting.statusMessage?.endsWith(pageOf(task.taskId)))
    await finish(task.taskId, [['act', 'approve']])
    const done = await readTask(key, task.taskId)
    assert.ok(done.status === 'completed')
    assert.ok(Date.parse(done.lastUpdatedAt) > Date.parse(done.createdAt))
    const { content, isError } = done.result as { content: { text: string }[]; isError: boolean }
    assert.equal(isError, false)
    const { id } = JSON.parse(content[0]!.text) as { id: string }
    assert.equal((await call('customers_get', { id }))['first_name'], 'Ana')
  })

  it('completes with an error when it was declined or has expired', async () => {
    const { key } = await company.keyOf(company.ownerId)
    const textOf = async (taskId: string): Promise<string> => {
      const task = await readTask(key, taskId)
      assert.ok(task.status === 'completed')
      const { content, isError } = task.result as { content: { text: string }[]; isError: boolean }
      assert.equal(isError, true)
      return content[0]!.text
    }
    const declined = await propose(key, 'Bo')
    await finish(declined.taskId, [
      ['act', 'decline'],
      ['word', 'Bo is a dog'],
    ])
    assert.equal(await textOf(declined.taskId), 'conflict: the proposed call was declined: "Bo is a dog"')
    const late = await propose(key, 'Cy')
    await writeTenant(scene.service.database, { tenant: company.id }, (db) =>
      db.run(sql`update proposals set expires_at = moment() where tenant_id = ${db.tenant} and state = 'open'`),
    )
    assert.match(await textOf(late.taskId), /expired before anyone decided on it/)
  })

  it('asks to open the proposal page when the client supports URL elicitation', async () => {
    const { key } = await company.keyOf(company.ownerId)
    const both = { ...TASKS, elicitation: { url: {} } }
    const { taskId } = await propose(key, 'Di', both)
    const task = await readTask(key, taskId, both)
    assert.ok(task.status === 'input_required')
    const { method, params } = task.inputRequests['approval'] as { method: string; params: { url: string } }
    assert.equal(method, 'elicitation/create')
    assert.equal(new URL(params.url).pathname, pageOf(taskId))
    const inputResponses = { approval: { action: 'accept' } }
    const noted = await callTaskMethod('tasks/update', taskId, key, both, { inputResponses })
    assert.equal(noted.result!['resultType'], 'complete')
    assert.equal((await readTask(key, taskId)).status, 'working')
  })

  it('can be cancelled together with its dependents, and the other calls keep waiting', async () => {
    const { key, call, refusal } = await company.keyOf(company.ownerId)
    const first = await propose(key, 'Hal')
    const hal = /under the id (\S+),/.exec(first.statusMessage ?? '')?.[1]
    const second = await propose(key, 'Ivy')
    const note = await by(key).stateless('tools/call', {
      name: 'notes_create',
      arguments: { subject_type: 'customer', subject_id: hal, body: 'Rings twice' },
    })
    const third = CreateTaskResultV2Schema.parse(note.result)
    assert.equal((await callTaskMethod('tasks/cancel', first.taskId, key)).result!['resultType'], 'complete')
    for (const { taskId } of [first, third]) {
      const task = await readTask(key, taskId)
      assert.equal(task.status, 'cancelled')
      assert.ok(Date.parse(task.lastUpdatedAt) >= Date.parse(task.createdAt))
    }
    assert.equal((await readTask(key, second.taskId)).status, 'working')
    const page = await company.owner.get(pageOf(second.taskId))
    assert.deepEqual([page.text.includes('Ivy'), page.text.includes('Hal')], [true, false])
    assert.match(await refusal('customers_get', { id: hal }), /was only proposed, and was withdrawn by this connection/)
    const next = await propose(key, 'Jim')
    assert.equal(next.taskId, `${second.taskId.split('.')[0]}.4`)
    const uri = `callout://plans/${second.taskId.split('.')[0]}`
    const { result } = await by(key).handshake('resources/read', { uri })
    assert.match(result!['contents'][0].text, /\|1\|customers_create\|[0-9a-f-]{36}\|withdrawn\|/)
    await finish(second.taskId, [['act', 'approve']])
    assert.equal((await callTaskMethod('tasks/cancel', second.taskId, key)).result!['resultType'], 'complete')
    for (const { taskId } of [second, next]) assert.equal((await readTask(key, taskId)).status, 'completed')
    assert.equal((await readTask(key, first.taskId)).status, 'cancelled')
    const names = (await call('customers_search', {})).rows.map((row: { display_name: string }) => row.display_name)
    assert.deepEqual(
      ['Ivy', 'Jim', 'Hal'].map((name) => names.includes(name)),
      [true, true, false],
    )
  })

  it('withdraws its proposal when it is the last call, and the next call opens a new one', async () => {
    const { key, refusal } = await company.keyOf(company.ownerId)
    const { taskId } = await propose(key, 'Kay')
    const path = pageOf(taskId)
    const form = formIn(await company.owner.get(path))
    await callTaskMethod('tasks/cancel', taskId, key)
    assert.equal((await readTask(key, taskId)).status, 'cancelled')
    const late = await decide(company.owner, path, [...form, ['act', 'approve']], scene.service.config.baseUrl)
    assert.equal(late.status, 409)
    const page = await company.owner.get(path)
    assert.match(page.text, /Withdrawn/)
    assert.match(page.text, /Kay/)
    assert.doesNotMatch(page.text, /name="act"/)
    const said = await refusal('customers_create', { customer_type: 'individual', first_name: 'Lee' })
    assert.match(said, /^conflict: waits for approval at /)
    assert.doesNotMatch(said, /withdrawn/)
    assert.ok(!said.includes(path))
  })

  it("can't be proposed again with the idempotency key of a withdrawn call", async () => {
    const { key, refusal } = await company.keyOf(company.ownerId)
    const args = { customer_type: 'individual', first_name: 'Moe', idempotency_key: 'moe-1' }
    const { result } = await by(key).stateless('tools/call', { name: 'customers_create', arguments: args })
    await callTaskMethod('tasks/cancel', CreateTaskResultV2Schema.parse(result).taskId, key)
    assert.match(await refusal('customers_create', args), /was withdrawn by this connection; send a new key/)
  })

  it('is visible only to its own connection, under its current scopes', async () => {
    const { key } = await company.keyOf(company.ownerId)
    const { taskId } = await propose(key, 'Eve')
    const other = await company.keyOf(company.ownerId)
    const office = await company.hire('office')
    const limited = await company.keyOf(office.id)
    const { taskId: theirs } = await propose(limited.key, 'Fay')
    await company.owner.post(company.at('settings', 'members', office.id), { role: 'office', customers: 'view' })
    for (const [id, by] of [
      [taskId, other.key],
      [theirs, limited.key],
      [`${taskId}9`, key],
      ['nothing', key],
      [taskId.replace(/\..*/, '.0'), key],
    ] as const)
      for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
        const { error } = await callTaskMethod(method, id, by)
        assert.deepEqual([error?.code, error?.message], [-32602, 'Invalid params: unknown task'], `${method} ${id}`)
      }
    assert.equal((await by(key).handshake('tasks/get', { taskId })).error?.code, -32601)
  })
})

describe('a waiting call of a client without tasks', () => {
  it('gets an error with the link to the proposal', async () => {
    const { key } = await company.keyOf(company.ownerId)
    for (const capabilities of [{}, { extensions: {} }, { extensions: { other: {} } }]) {
      const { result } = await by(key, capabilities).stateless('tools/call', {
        name: 'customers_create',
        arguments: { customer_type: 'individual', first_name: 'Gus' },
      })
      assert.equal(result!['isError'], true)
      assert.match(result!['content'][0].text, /^conflict: waits for approval at /)
    }
  })
})
