import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openCommandLine } from '../../harness/processes/command_line.ts'

/** Time in milliseconds after which a second signal counts as a new one. */
const ANOTHER_MS = 600

/** Starts the service on an empty data directory, which makes a demo company, and sends a signal once it is ready. */
async function startAndSignal(test: TestContext, signal: (child: ChildProcess) => Promise<void>) {
  const { startCommand, close } = await openCommandLine()
  test.after(close)
  const child = startCommand(['serve'], { env: { PORT: '0', STOP_DELAY: '0', LOG_LEVEL: 'silent' } })
  test.after(() => void child.kill('SIGKILL'))
  const said = { out: '', err: '' }
  const answers = new Promise<void>((resolve) =>
    child.stdout!.on('data', (piece) => {
      said.out += String(piece)
      if (said.out.includes('Callout is running at')) resolve()
    }),
  )
  child.stderr!.on('data', (piece) => (said.err += String(piece)))
  const ended = once(child, 'close')
  await Promise.race([answers, ended])
  await signal(child)
  const [code] = await ended
  return { code: Number(code), ...said }
}

describe('a service stopped while it makes its demo company', () => {
  it('finishes the company and shows its password', async (test) => {
    const { code, out, err } = await startAndSignal(test, async (child) => void child.kill('SIGTERM'))
    assert.deepEqual([code, err], [0, ''])
    assert.match(out, /Callout is running at .*\nCreating a demo company\..*\n/)
    assert.match(out, /Created a demo company: [^]*Password +\S+\n/)
  })

  it('exits at once on a second signal, without database errors', async (test) => {
    const { code, err } = await startAndSignal(test, async (child) => {
      child.kill('SIGTERM')
      await sleep(ANOTHER_MS)
      child.kill('SIGTERM')
    })
    assert.deepEqual([code, err], [0, ''])
  })
})
