import { setTimeout as sleep } from 'node:timers/promises'
import { rpc, toolHeaders } from '../../test/harness/http.ts'

/** Result of a request: its start and duration in milliseconds, and how it ended. */
export type Answer = {
  begun: number
  ms: number
  outcome: 'done' | '503' | '429' | 'internal' | 'refused' | 'no answer'
}

export type Ask = () => Promise<Answer>
export type Table = Record<string, readonly Answer[]>

/** Returns what calls a tool at an address, over and over, with the same arguments. */
export const askingAt =
  (url: string) =>
  (key: string, tool: string, given: object = {}): Ask =>
  async () => {
    const begun = performance.now()
    const outcome = await fetch(url, {
      method: 'POST',
      headers: toolHeaders(key),
      body: rpc('tools/call', { name: tool, arguments: given }),
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
 * Sends requests until the signal, so many at a time. A client pauses after each answer, and longer if it was told to
 * wait.
 */
export async function over(ask: Ask, atOnce: number, ended: AbortSignal): Promise<Answer[]> {
  const answers: Answer[] = []
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (!ended.aborted) {
        const answer = await ask()
        answers.push(answer)
        await sleep(answer.outcome === 'done' ? READ_MS : WAIT_MS)
      }
    }),
  )
  return answers
}

/** Sends requests, two at a time, while the trouble lasts. */
export async function beside<T>(ask: Ask, trouble: () => Promise<T>): Promise<[meanwhile: Answer[], of: T]> {
  const ended = new AbortController()
  const reading = over(ask, READERS, ended.signal)
  const of = await trouble().finally(() => ended.abort())
  return [await reading, of]
}

/** Pauses in milliseconds. Without them, twenty clients would use all of a small machine, whatever the service does. */
const [READ_MS, WAIT_MS] = [25, 100]

/** Number of the quiet company's people who read at the same time. */
export const READERS = 2
