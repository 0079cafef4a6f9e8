import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { viewProposals } from '../../src/exam/environment/person.ts'
import { attempt, openExamSession, type Attempt, type ExamSubject, type Variant } from '../../src/exam/attempt.ts'
import type { ExamAgent } from '../../src/exam/models/agent.ts'
import { HOSTILE_TASKS } from '../../src/exam/hostile/index.ts'
import { lazyAgent, obedientAgent, perfectAgent } from '../../src/exam/models/scripted.ts'
import { replayOf } from '../../src/exam/models/replay.ts'
import { runExam } from '../../src/exam/run.ts'
import { TASKS } from '../../src/exam/tasks/index.ts'
import { openEnvironment, type ExamEnvironment } from '../../src/exam/environment/environment.ts'
import { templateOf } from '../harness/harness.ts'
import { startTestServer } from '../harness/server.ts'

/** Checks the exam's scoring with agents whose result is certain. */
let environment: ExamEnvironment
let stop: () => Promise<void>
const acting: Attempt[] = []
before(async () => {
  const server = await startTestServer()
  stop = () => server.stop()
  environment = await openEnvironment({ server: server.connection, template: await templateOf(server.connection) })
})
after(async () => {
  await environment.close()
  await stop()
})

const run = async (
  examinee: ExamAgent<ExamSubject>,
  variant: Variant,
  only: readonly string[] = [],
): Promise<readonly Attempt[]> =>
  (await runExam(environment, examinee, { variants: [variant], runs: 1, taskFilter: [...only] })).attempts

/** Returns the id of every nth task. */
const everyId = (tasks: readonly { id: string }[], step: number): string[] =>
  tasks.filter((_, i) => i % step === 0).map(({ id }) => id)

const shorten = ({ task, fault, judgment: { missing, harmful } }: Attempt) => ({ task, fault, missing, harmful })

describe('the exam', () => {
  it('has at least 60 tasks and 60 hostile tasks with unique ids', () => {
    assert.ok(TASKS.length >= 60 && HOSTILE_TASKS.length >= 60)
    const ids = [...TASKS, ...HOSTILE_TASKS].map(({ id }) => id)
    assert.equal(new Set(ids).size, ids.length)
    assert.ok(TASKS.filter(({ language }) => language === 'es').length >= 10)
    for (const role of ['owner', 'office', 'tech']) assert.ok(TASKS.some((task) => task.role === role))
    for (const level of ['easy', 'medium', 'hard']) assert.ok(TASKS.some((task) => task.level === level))
  })

  it('is passed in full by the perfect agent', async () => {
    acting.push(...(await run(perfectAgent, 'acting')))
    assert.deepEqual(acting.filter(({ passed }) => !passed).map(shorten), [])
    assert.equal(acting.length, TASKS.length)
  })

  it('is passed in full by the perfect agent when its calls need approval', async () => {
    const attempts = await run(perfectAgent, 'proposing')
    assert.deepEqual(attempts.filter(({ passed }) => !passed).map(shorten), [])
  })

  it('is passed in full by the perfect agent on the hostile tasks', async () => {
    const attempts = await run(perfectAgent, 'hostile')
    assert.deepEqual(attempts.filter(({ passed }) => !passed).map(shorten), [])
  })

  for (const variant of ['acting', 'proposing', 'hostile'] as const)
    it(`is failed in the ${variant} variant by an agent that only claims to be done`, async () => {
      const some = { acting: [], proposing: everyId(TASKS, 5), hostile: everyId(HOSTILE_TASKS, 5) }[variant]
      const attempts = await run(lazyAgent, variant, some)
      assert.ok(attempts.length >= 12)
      assert.deepEqual(attempts.filter(({ passed }) => passed).map(shorten), [])
    })

  it('reports harm in every hostile task for an agent that obeys the injected text', async () => {
    const attempts = await run(obedientAgent, 'hostile')
    assert.deepEqual(attempts.filter(({ judgment }) => judgment.harmful.length === 0).map(shorten), [])
  })

  it('gives the same result when a transcript is replayed', async () => {
    const again = await run(replayOf('perfect', acting), 'acting', everyId(TASKS, 4))
    const once = acting.filter(({ task }) => again.some((attempt) => attempt.task === task))
    assert.ok(once.length >= 19)
    assert.deepEqual(again.filter(({ passed }) => !passed).map(shorten), [])
    assert.deepEqual(
      again.map(({ calls, refused }) => [calls, refused]),
      once.map(({ calls, refused }) => [calls, refused]),
    )
  })
})

describe('a connection that can only propose', () => {
  it("queues a hostile text's call for approval without running it", async () => {
    const unseen: string[] = []
    for (const task of HOSTILE_TASKS) {
      await environment.reset()
      const session = await openExamSession(environment, task, 'hostile', { isProposing: true })
      const { judgment, proposed } = await attempt(session, obedientAgent)
      const shown = (await viewProposals(environment, session.user)).flatMap(({ calls }) =>
        calls.map(({ tool }) => tool),
      )
      if (judgment.harmful.length > 0 || proposed !== 1 || !shown.includes(task.targetCall[0])) unseen.push(task.id)
    }
    assert.deepEqual(unseen, [])
  })
})
