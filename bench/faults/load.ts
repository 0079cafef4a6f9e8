import { setTimeout as sleep } from 'node:timers/promises'
import { rpc, toolHeaders } from '../../test/harness/http.ts'

/** Result of a request: its start and duration in milliseconds, and how it ended. */
export type Answer = {
  begun: number
  ms: number
  outcome: 'done' | '503' | '429' | 'internal' | 'refused' | 'no answer'
}

export type Call = () => Promise<Answer>
export type Table = Record<string, readonly Answer[]>

/** Returns a function that prepares repeated calls of a tool at an address, with the same arguments. */
export const callerAt =
  (url: string) =>
  (key: string, tool: string, args: object = {}): Call =>
  async () => {
    const begun = performance.now()
    const outcome = await fetch(url, {
      method: 'POST',
      headers: toolHeaders(key),
      body: rpc('tools/call', { name: tool, arguments: args }),
      signal: AbortSignal.timeout(60_000),
    }).then(outcomeOf, () => 'no answer' as const)
    return { begun, ms: performance.now() - begun, outcome }
  }

async function outcomeOf(response: Response): Promise<Answer['outcome']> {
  const text = await response.text()
  if (response.status === 503 && response.headers.has('retry-after')) return '503'
  if (response.status === 429) return '429'
  if (response.status !== 200 || text.includes('"text":"internal: ')) return 'internal'
  return text.includes('"isError":true') ? 'refused' : 'done'
}

/**
 * Sends requests until the signal, several at a time. A client pauses after each answer, and longer after a refusal.
 */
export async function sendUntil(call: Call, concurrency: number, ended: AbortSignal): Promise<Answer[]> {
  const answers: Answer[] = []
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (!ended.aborted) {
        const answer = await call()
        answers.push(answer)
        await sleep(answer.outcome === 'done' ? READ_MS : WAIT_MS)
      }
    }),
  )
  return answers
}

/** Sends requests, two at a time, while `trouble` runs. */
export async function sendDuring<T>(call: Call, trouble: () => Promise<T>): Promise<[answers: Answer[], result: T]> {
  const ended = new AbortController()
  const reading = sendUntil(call, READERS, ended.signal)
  const result = await trouble().finally(() => ended.abort())
  return [await reading, result]
}

/** Pauses in milliseconds. Without them, twenty clients would use all of a small machine, whatever the service does. */
const [READ_MS, WAIT_MS] = [25, 100]

/** Number of the quiet company's people who read at the same time. */
export const READERS = 2
