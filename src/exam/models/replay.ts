import type { Attempt, ExamSubject, TranscriptEntry } from '../attempt.ts'
import { NO_USAGE, type Dialog, type Examinee, type ToolResult, type ToolUse, type Turn } from './examinee.ts'

/** Ids and times, which differ each time the company is created. */
const VARIABLE = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g

/**
 * Replays an examinee's texts and calls from a transcript. Replaces the ids of a result with those of the same result
 * now, so that later calls are about the same records.
 */
export function replayOf(name: string, attempts: readonly Attempt[]): Examinee<ExamSubject> {
  return {
    name: `replay of ${name}`,
    begin: ({ subject: { task, variant } }) => {
      const attempt = attempts.find((one) => one.task === task.id && one.variant === variant)
      return attempt === undefined ? silent : repeat(attempt.transcript)
    },
  }
}

const silent: Dialog = { runTurn: async () => ({ text: '', calls: [], usage: NO_USAGE }) }

function repeat(transcript: readonly TranscriptEntry[]): Dialog {
  const turns = transcript.flatMap((entry) => ('calls' in entry ? [entry] : []))
  const answers = transcript.flatMap((entry) => ('results' in entry ? [entry.results] : []))
  const current = new Map<string, string>()
  const translate = (text: string): string => text.replace(VARIABLE, (old) => current.get(old) ?? old)
  let answered = 0
  let next = 0
  return {
    async runTurn(message): Promise<Turn> {
      if ('results' in message) pairUp(answers[answered++] ?? [], message.results, current)
      const turn = turns[next++]
      if (turn === undefined) return { text: '', calls: [], usage: NO_USAGE }
      return {
        text: translate(turn.text),
        calls: turn.calls.map((call) => translateCall(call, translate)),
        usage: NO_USAGE,
      }
    },
  }
}

const translateCall = ({ id, name, args }: ToolUse, translate: (text: string) => string): ToolUse => ({
  id,
  name,
  args: JSON.parse(translate(JSON.stringify(args))),
})

/** Maps the ids of a result to those of the same result now, in order. */
function pairUp(then: readonly ToolResult[], now: readonly ToolResult[], current: Map<string, string>): void {
  then.forEach(({ text }, i) => {
    const fresh = now[i]?.text.match(VARIABLE) ?? []
    for (const [j, old] of (text.match(VARIABLE) ?? []).entries()) {
      const value = fresh[j]
      if (value !== undefined && !current.has(old)) current.set(old, value)
    }
  })
}
