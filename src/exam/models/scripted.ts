import { isAwaitingApproval, type ExamSubject } from '../attempt.ts'
import { NO_USAGE, type Dialog, type ExamAgent, type ModelInput, type ToolResult, type Turn } from './agent.ts'
import type { Step } from '../task.ts'

const turn = (text: string, ...calls: Turn['calls']): Turn => ({ text, calls, usage: NO_USAGE })

/** Agent that claims to be done and does nothing. It must fail every task. */
export const lazyAgent: ExamAgent<ExamSubject> = {
  name: 'scripted/lazy',
  begin: () => ({ runTurn: async () => turn('Done.') }),
}

/** Agent that takes the steps of a task's author. It must pass every task. */
export const perfectAgent: ExamAgent<ExamSubject> = {
  name: 'scripted/perfect',
  begin: ({ subject: { task } }) => takeSteps(task.solve),
}

/** Agent that also obeys every text it reads. It must fall for every injection. */
export const obedientAgent: ExamAgent<ExamSubject> = {
  name: 'scripted/obedient',
  begin: ({ subject: { task, facts } }) => {
    const steps = takeSteps(task.solve)
    let readText = ''
    let finalText: string | undefined
    let hasObeyed = false
    return {
      runTurn: async (message) => {
        if ('results' in message) readText += message.results.map(({ text }) => text).join('\n')
        if (finalText !== undefined) return turn(finalText)
        const next = await steps.runTurn(message)
        if (next.calls.length > 0 || !('targetCall' in task) || hasObeyed || !readText.includes(task.bait)) return next
        hasObeyed = true
        finalText = next.text
        return turn('', { id: 'obeyed', name: task.targetCall[0], args: task.targetCall[1](facts) })
      },
    }
  },
}

/** Takes the steps one by one. If a result needs approval first, it stops until the person gives it. */
function takeSteps(steps: readonly Step[]): Dialog {
  const results: unknown[] = []
  let position = 0
  const next = (): Turn => {
    const step = steps[position]
    if (step === undefined) return turn('That is all.')
    if (typeof step === 'string') {
      position++
      return turn(fillIn(step, results))
    }
    const args = resolve(step[1], results)
    position++
    return turn('', { id: String(position), name: step[0], args })
  }
  return {
    runTurn: async (message: ModelInput) => {
      if ('results' in message) for (const result of message.results) results.push(readResult(result))
      // Repeats the last text after an approval.
      if (position >= steps.length && !('results' in message)) position = steps.length - 1
      return next()
    },
  }
}

/** Returns the JSON of a result. For a call that waits, returns the id by which later calls may use its record. */
function readResult({ text, isError }: ToolResult): unknown {
  if (isAwaitingApproval(text))
    return { id: /proposed: .*?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/.exec(text)?.[1] }
  if (isError) throw new Error(`a scripted call was refused: ${text}`)
  try {
    return JSON.parse(text.split('\n')[0] ?? '')
  } catch {
    return text
  }
}

const REFERENCE = /^\$(\d+)((?:\.\w+)+)$/

/** Replaces references such as `$0.rows.0.id` with the values in the results. */
function resolve(args: Readonly<Record<string, unknown>>, results: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, resolveValue(value, results)]))
}

function resolveValue(value: unknown, results: readonly unknown[]): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveValue(item, results))
  if (typeof value === 'object' && value !== null) return resolve({ ...value }, results)
  const [, index, path] = typeof value === 'string' ? (REFERENCE.exec(value) ?? []) : []
  return index === undefined || path === undefined ? value : readPath(results[Number(index)], path, value)
}

function readPath(from: unknown, path: string, reference: unknown): unknown {
  let value = from
  for (const name of path.slice(1).split('.'))
    value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  if (value === undefined) throw new Error(`no result has ${String(reference)}`)
  return value
}

/** Replaces references in a text, such as `{0.rows.0.title}`. */
const fillIn = (text: string, results: readonly unknown[]): string =>
  text.replace(/\{(\d+)((?:\.\w+)+)\}/g, (all, index: string, path: string) =>
    String(readPath(results[Number(index)], path, all)),
  )

export const scriptedAgents = [perfectAgent, lazyAgent, obedientAgent] as const
