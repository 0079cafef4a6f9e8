import { readFile } from 'node:fs/promises'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { beginWorker } from '../../test/harness/worker_life.ts'
import { findLeaks, readState } from './test_leaks.ts'
import { takeFiles } from './test_queue.ts'

/** Ends a file that hangs: the longest takes three minutes on a quiet machine, and five times that on a slow busy one. */
const MAX_FILE_MS = Number(process.env['MAX_FILE_MS'] ?? 1_800_000)

/** Ends a process that goes on after its last test. */
const MAX_END_MS = Number(process.env['MAX_END_MS'] ?? 30_000)

/**
 * Runs files of the queue in this process, each as a suite of its name, until none is left. A file is read when the one
 * before it is done: of modules that are read for two at once, node:test takes the tests of one for the other's.
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
  void it(`${file} leaves its process as it was`, () => {
    throw new Error(`What the file changed and did not set back would reach the next file: ${leaks.join(', ')}`)
  })

/** Ends a process that goes on after its last test, and counts it as failed: a red test never makes a run hang. */
function endSoon(): void {
  setTimeout(() => {
    process.stderr.write(
      'The process of these tests did not end by itself in time: something it opened is still open\n',
    )
    process.exit(1)
  }, MAX_END_MS).unref()
}
