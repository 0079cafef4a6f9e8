import type { Caller } from '../identity/credentials/caller.ts'
import type { Reply, ToolServer } from '../mcp/protocol/types.ts'
import { isWaiting, openSitting, type Attempt, type TranscriptEntry, type Variant } from './attempt.ts'
import { NO_USAGE, type ToolUse } from './models/examinee.ts'
import { approveAll } from './world/person.ts'
import { tasksOf, type ExamResult } from './run.ts'
import type { World } from './world/world.ts'

/** The person who sits beside a client from outside, at the terminal. */
type Supervisor = {
  tell(text: string): void
  /** Waits for a line. */
  ask(question: string): Promise<string>
}

/** Notes the calls of clients from outside, for the transcript. */
export function openCallLog() {
  let noted: Noted = { calls: 0, refused: 0, transcript: [] }
  const note = (call: ToolUse, text: string, isError: boolean): void => {
    noted = {
      calls: noted.calls + 1,
      refused: noted.refused + (isError && !isWaiting(text) ? 1 : 0),
      transcript: [
        ...noted.transcript,
        { text: '', calls: [call] },
        { results: [{ id: call.id, name: call.name, text, isError }] },
      ],
    }
  }
  return {
    aroundTools: (tools: ToolServer<Caller>): ToolServer<Caller> => ({
      ...tools,
      callTool: async (caller, name, args, meta) => {
        const reply = await tools.callTool(caller, name, args, meta)
        const isError = 'refused' in reply || ('result' in reply && reply.code !== undefined)
        note({ id: String(noted.calls + 1), name, args }, textOf(reply), isError)
        return reply
      },
    }),
    /** Returns what was noted since the last time. */
    take: (): Noted => {
      const noticed = noted
      noted = { calls: 0, refused: 0, transcript: [] }
      return noticed
    },
  }
}

type Noted = { calls: number; refused: number; transcript: readonly TranscriptEntry[] }

function textOf(reply: Reply): string {
  if ('refused' in reply) return reply.message
  const content = 'result' in reply ? reply.result['content'] : undefined
  const first: unknown = Array.isArray(content) ? content[0] : undefined
  return typeof first === 'object' && first !== null && 'text' in first ? String(first.text) : JSON.stringify(reply)
}

/**
 * Examines a client that somebody else runs: for each task it says what to tell the client, waits until the person says
 * that it has finished, and judges.
 */
export async function superviseExam(
  world: World,
  log: ReturnType<typeof openCallLog>,
  supervisor: Supervisor,
  { variants, only }: { variants: readonly Variant[]; only: readonly string[] },
): Promise<ExamResult> {
  const attempts: Attempt[] = []
  for (const variant of variants)
    for (const task of tasksOf(variant, only)) {
      await world.reset()
      const sitting = await openSitting(world, task, variant)
      supervisor.tell(
        [
          `\n${task.id} (${variant})`,
          `Address: ${world.url}`,
          `Key:     ${sitting.key}`,
          `Begin a new conversation, and say:\n\n  ${task.ask}\n`,
        ].join('\n'),
      )
      const words = await supervisor.ask(
        'Paste its last answer in one line when it has finished (skip: leave the task out): ',
      )
      if (words.trim() === 'skip') continue
      if (variant === 'proposing') await approveAll(world, sitting.user)
      const done = await sitting.end(words, { ...log.take(), usage: NO_USAGE })
      attempts.push(done)
      supervisor.tell(done.passed ? 'Passed.' : [...done.judgment.missing, ...done.judgment.harmful].join('\n'))
    }
  return { examinee: 'client from outside', runs: 1, attempts }
}
