import type { Attempt, ExamSubject, TranscriptEntry } from '../attempt.ts'
import { NO_USAGE, type Dialog, type ExamAgent, type ToolResult, type ToolUse, type Turn } from './agent.ts'

/** Ids and times, which differ each time the company is created. */
const VARIABLE_TEXT = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g

/**
 * Replays an examinee's texts and calls from a transcript. Replaces the ids of a result with those of the same result
 * now, so that later calls are about the same records.
 */
export function replayOf(name: string, attempts: readonly Attempt[]): ExamAgent<ExamSubject> {
  return {
    name: `replay of ${name}`,
    begin: ({ subject: { task, variant } }) => {
      const attempt = attempts.find((one) => one.task === task.id && one.variant === variant)
      return attempt === undefined ? silentDialog : replayDialog(attempt.transcript)
    },
  }
}

const silentDialog: Dialog = { runTurn: async () => ({ text: '', calls: [], usage: NO_USAGE }) }

function replayDialog(transcript: readonly TranscriptEntry[]): Dialog {
  const turns = transcript.flatMap((entry) => ('calls' in entry ? [entry] : []))
  const answers = transcript.flatMap((entry) => ('results' in entry ? [entry.results] : []))
  const current = new Map<string, string>()
  const translate = (text: string): string => text.replace(VARIABLE_TEXT, (old) => current.get(old) ?? old)
  let answerIndex = 0
  let turnIndex = 0
  return {
    async runTurn(message): Promise<Turn> {
      if ('results' in message) mapIds(answers[answerIndex++] ?? [], message.results, current)
      const turn = turns[turnIndex++]
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
function mapIds(
  oldResults: readonly ToolResult[],
  newResults: readonly ToolResult[],
  current: Map<string, string>,
): void {
  oldResults.forEach(({ text }, i) => {
    const fresh = newResults[i]?.text.match(VARIABLE_TEXT) ?? []
    for (const [j, old] of (text.match(VARIABLE_TEXT) ?? []).entries()) {
      const value = fresh[j]
      if (value !== undefined && !current.has(old)) current.set(old, value)
    }
  })
}
