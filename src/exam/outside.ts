import type { Caller } from '../identity/credentials/caller.ts'
import type { Reply, ToolServer } from '../mcp/protocol/types.ts'
import { isAwaitingApproval, openExamSession, type Attempt, type TranscriptEntry } from './attempt.ts'
import { NO_USAGE } from './models/agent.ts'
import { READ_RESOURCE } from './models/mcp_client.ts'
import { approveAll } from './environment/person.ts'
import { tasksOf, type ExamPlan, type ExamResult } from './run.ts'
import type { ExamEnvironment } from './environment/environment.ts'

/** Person at the terminal who operates an external client. */
type Supervisor = {
  print(text: string): void
  /** Waits for a line. Returns undefined at the end of input. */
  ask(question: string): Promise<string | undefined>
}

type CallRecords = { calls: number; refused: number; transcript: TranscriptEntry[] }

type CallLog = ReturnType<typeof openCallLog>

/** Records the calls of external clients for the transcript. */
export function openCallLog() {
  let records: CallRecords = { calls: 0, refused: 0, transcript: [] }
  const recordCall = (name: string, args: Readonly<Record<string, unknown>>, reply: Reply): void => {
    const id = String(++records.calls)
    const [text, isError] = [textOf(reply), 'refused' in reply || ('result' in reply && reply.code !== undefined)]
    if (isError && !isAwaitingApproval(text)) records.refused++
    records.transcript.push({ text: '', calls: [{ id, name, args }] }, { results: [{ id, name, text, isError }] })
  }
  const aroundTools = (tools: ToolServer<Caller>): ToolServer<Caller> => ({
    ...tools,
    narrow: (part) => aroundTools(tools.narrow(part)),
    callTool: async (caller, name, args, meta) => {
      const reply = await tools.callTool(caller, name, args, meta)
      recordCall(name, args, reply)
      return reply
    },
    resources: {
      ...tools.resources,
      read: async (caller, uri, meta) => {
        const reply = await tools.resources.read(caller, uri, meta)
        recordCall(READ_RESOURCE, { uri }, reply)
        return reply
      },
    },
  })
  return {
    aroundTools,
    /** Returns the calls recorded since the last time. */
    take: (): CallRecords => {
      const last = records
      records = { calls: 0, refused: 0, transcript: [] }
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
  environment: ExamEnvironment,
  log: CallLog,
  supervisor: Supervisor,
  { variants, taskFilter }: Pick<ExamPlan, 'variants' | 'taskFilter'>,
): Promise<ExamResult> {
  const attempts: Attempt[] = []
  const result = { examinee: 'external client', runs: 1, attempts }
  for (const variant of variants)
    for (const task of tasksOf(variant, taskFilter)) {
      await environment.reset()
      const session = await openExamSession(environment, task, variant)
      log.take()
      supervisor.print(
        [
          `\n${task.id} (${variant})`,
          `Address: ${environment.url}`,
          `Key:     ${session.key}`,
          `Start a new conversation and send this:\n\n  ${task.prompt}\n`,
        ].join('\n'),
      )
      const answer = await supervisor.ask(
        'When it has finished, paste its last answer on one line (or type skip to skip the task): ',
      )
      if (answer === undefined) return result
      if (answer.trim() === 'skip') continue
      if (variant === 'proposing') await approveAll(environment, session.user)
      const newAttempt = await session.end(answer, { ...log.take(), usage: NO_USAGE })
      attempts.push(newAttempt)
      supervisor.print(
        newAttempt.passed ? 'Passed.' : [...newAttempt.judgment.missing, ...newAttempt.judgment.harmful].join('\n'),
      )
    }
  return result
}
