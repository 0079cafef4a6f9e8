import { setTimeout as sleep } from 'node:timers/promises'
import { rpc, toolHeaders } from '../harness/http.ts'

export type Target = { url: string; key: string }

/** A write that was acknowledged, by its text. */
export type Acknowledged = { body: string; at: number }

/** Starts clients that write notes one by one, retrying each until it is acknowledged by the current target. */
export function startWriters(first: Target, clients: number) {
  const over = new AbortController()
  const acknowledged: Acknowledged[] = []
  let target = first
  const ended = Array.from({ length: clients }, async (_, client) => {
    for (let i = 0; !over.signal.aborted;) {
      const body = `write ${client} ${i}`
      if (await isWritten(target, body)) {
        acknowledged.push({ body, at: performance.now() })
        i++
      } else await sleep(5)
    }
  })
  return {
    acknowledged,
    goTo: (next: Target): void => {
      target = next
    },
    stop: async (): Promise<void> => {
      over.abort()
      await Promise.all(ended)
    },
  }
}

/** Checks whether a write was acknowledged. A 503 means that nothing was written. */
async function isWritten({ url, key }: Target, body: string): Promise<boolean> {
  const response = await fetch(url, {
    method: 'POST',
    headers: toolHeaders(key),
    body: rpc('tools/call', { name: 'notes_create', arguments: { body } }),
  })
  const text = await response.text()
  if (response.status === 503) return false
  if (response.status !== 200 || !text.includes(body)) throw new Error(`${response.status} ${text}`)
  return true
}
