import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newWorkerThread } from './worker_thread.ts'

/** Sends requests to threads whose module runs these lines; `value` is the request. */
const askThread = (lines: string, timeoutMs = 10_000) =>
  newWorkerThread<string, string>({
    url: new URL(
      `data:text/javascript,${encodeURIComponent(`import { parentPort, threadId } from 'node:worker_threads'
      parentPort.on('message', (value) => { ${lines} })`)}`,
    ),
    timeoutMs,
    subject: 'a test',
    maxHeapMb: 32,
  })

describe('a worker thread', () => {
  it('is reused for the next request', async () => {
    const ask = askThread('parentPort.postMessage(`${value} ${threadId}`)')
    const [first, second] = [await ask('one'), await ask('two')]
    assert.equal(first.replace('one', 'two'), second)
  })

  it('is replaced after an error, an exit or a timeout', async () => {
    for (const [fault, refusal] of [
      ["throw new Error('broken')", /broken/],
      ['process.exit()', /The thread of a test ended/],
      ['return', /a test took too long/],
    ] as const) {
      const ask = askThread(`if (value === 'bad') { ${fault} } parentPort.postMessage(value)`, 5_000)
      await assert.rejects(ask('bad'), refusal)
      assert.equal(await ask('good'), 'good')
    }
  })

  it('that fails after its answer does not end the process', async () => {
    const ask = askThread(`parentPort.postMessage(value); setTimeout(() => { throw new Error('too late') }, 100)`)
    assert.equal(await ask('one'), 'one')
    await sleep(400)
    await ask('two').catch((fault: unknown) => assert.match(String(fault), /too late/))
    await sleep(400)
  })
})
