import { readFile } from 'node:fs/promises'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { beginWorker } from '../../test/harness/worker_life.ts'
import { findLeaks, readState } from './test_leaks.ts'
import { takeFiles } from './test_queue.ts'

/** Ends a file that hangs. The slowest takes three minutes on an idle machine, and five times that on a slow, busy one. */
const MAX_FILE_MS = Number(process.env['MAX_FILE_MS'] ?? 1_800_000)

/** Ends a process that keeps running after its last test. */
const MAX_END_MS = Number(process.env['MAX_END_MS'] ?? 30_000)

/**
 * Runs files of the queue in this process, each as a suite with its name, until none is left. Imports a file only when
 * the one before it is done: node:test would mix up the tests of two files that load at once.
 */
export async function runQueue(root: string, folder: string): Promise<void> {
  const files = JSON.parse(await readFile(join(folder, 'queue.json'), 'utf8')) as string[]
  const worker = beginWorker()
  for await (const file of takeFiles(folder, files)) {
    const state = readState()
    await runFile(root, file)
    const leaks = await findLeaks(state)
    if (leaks.length > 0) failFor(file, leaks)
    // Commands that later files start find what this process compiled.
    flushCompileCache()
  }
  await worker.end()
  endSoon()
}

/** Runs one file that measures its whole process. */
export async function runAlone(root: string, file: string): Promise<void> {
  await runFile(root, file)
  endSoon()
}

const runFile = (root: string, file: string): Promise<void> =>
  describe(file, { timeout: MAX_FILE_MS }, () => import(pathToFileURL(join(root, file)).href))

const failFor = (file: string, leaks: readonly string[]): void =>
  void it(`${file} leaves its process unchanged`, () => {
    throw new Error(`The file changed these and did not restore them for the next file: ${leaks.join(', ')}`)
  })

/** Ends a process that keeps running after its last test, as a failure, so that a run never hangs. */
function endSoon(): void {
  setTimeout(() => {
    process.stderr.write('The test process did not exit in time: something that it opened is still open\n')
    process.exit(1)
  }, MAX_END_MS).unref()
}
