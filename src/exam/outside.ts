import type { Caller } from '../identity/credentials/caller.ts'
import type { Reply, ToolServer } from '../mcp/protocol/types.ts'
import { isWaiting, openSitting, type Attempt, type TranscriptEntry } from './attempt.ts'
import { NO_USAGE } from './models/examinee.ts'
import { READ_RESOURCE } from './models/mcp_client.ts'
import { approveAll } from './world/person.ts'
import { tasksOf, type ExamPlan, type ExamResult } from './run.ts'
import type { World } from './world/world.ts'

/** Person at the terminal who operates an external client. */
type Supervisor = {
  tell(text: string): void
  /** Waits for a line. Returns undefined at the end of input. */
  ask(question: string): Promise<string | undefined>
}

type CallNotes = { calls: number; refused: number; transcript: TranscriptEntry[] }

type CallLog = ReturnType<typeof openCallLog>

/** Records the calls of external clients for the transcript. */
export function openCallLog() {
  let notes: CallNotes = { calls: 0, refused: 0, transcript: [] }
  const note = (name: string, args: Readonly<Record<string, unknown>>, reply: Reply): void => {
    const id = String(++notes.calls)
    const [text, isError] = [textOf(reply), 'refused' in reply || ('result' in reply && reply.code !== undefined)]
    if (isError && !isWaiting(text)) notes.refused++
    notes.transcript.push({ text: '', calls: [{ id, name, args }] }, { results: [{ id, name, text, isError }] })
  }
  const aroundTools = (tools: ToolServer<Caller>): ToolServer<Caller> => ({
    ...tools,
    only: (part) => aroundTools(tools.only(part)),
    callTool: async (caller, name, args, meta) => {
      const reply = await tools.callTool(caller, name, args, meta)
      note(name, args, reply)
      return reply
    },
    resources: {
      ...tools.resources,
      read: async (caller, uri, meta) => {
        const reply = await tools.resources.read(caller, uri, meta)
        note(READ_RESOURCE, { uri }, reply)
        return reply
      },
    },
  })
  return {
    aroundTools,
    /** Returns the calls recorded since the last time. */
    take: (): CallNotes => {
      const last = notes
      notes = { calls: 0, refused: 0, transcript: [] }
      return last
    },
  }
}

function textOf(reply: Reply): string {
  if ('refused' in reply) return reply.message
  const blocks = 'result' in reply ? (reply.result['content'] ?? reply.result['contents']) : undefined
  const first: unknown = Array.isArray(blocks) ? blocks[0] : undefined
  return typeof first === 'object' && first !== null && 'text' in first ? String(first.text) : JSON.stringify(reply)
}

/**
 * Examines a client that somebody else runs. For each task, shows the request for the client, waits until the person
 * reports that it has finished, and judges. Ends early if the person ends the input.
 */
export async function superviseExam(
  world: World,
  log: CallLog,
  supervisor: Supervisor,
  { variants, only }: Pick<ExamPlan, 'variants' | 'only'>,
): Promise<ExamResult> {
  const attempts: Attempt[] = []
  const result = { examinee: 'client from outside', runs: 1, attempts }
  for (const variant of variants)
    for (const task of tasksOf(variant, only)) {
      await world.reset()
      const sitting = await openSitting(world, task, variant)
      log.take()
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
      if (words === undefined) return result
      if (words.trim() === 'skip') continue
      if (variant === 'proposing') await approveAll(world, sitting.user)
      const done = await sitting.end(words, { ...log.take(), usage: NO_USAGE })
      attempts.push(done)
      supervisor.tell(done.passed ? 'Passed.' : [...done.judgment.missing, ...done.judgment.harmful].join('\n'))
    }
  return result
}
