import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { availableParallelism, constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startRun } from '../test/harness/server.ts'
import { prepare } from './tests/prepare.ts'
import { readArguments, type Arguments } from './tests/test_arguments.ts'
import { writeEntries } from './tests/test_entries.ts'
import { makeRunFolder } from './tests/run_folder.ts'
import { useMemory } from './tests/test_memory.ts'

// npm test: types, lint and the quick tests, in one run of Node's own runner against one shared PostgreSQL.
// npm run test:all: the rest. docs/contributing/testing.md says what else can be named.
const root = new URL('..', import.meta.url).pathname

/** Ends a worker that hangs; it lives for the whole run. */
const TIMEOUT_MS = 3_600_000

/** Caches compiled source between runs, like bin/callout. */
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules/.cache/callout')

const children = new Set<ChildProcess>()

/** Runs Node with these arguments in a process group of its own, and ends what it leaves of that group. */
const run = (args: string[]): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', detached: true })
    children.add(child)
    child.on('exit', (code) => {
      children.delete(child)
      signalGroup(child, 'SIGKILL')
      resolve(code === 0)
    })
  })

function signalGroup({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, name)
  } catch {
    // No process of the group is left.
  }
}

/** Ends the running processes when this one gets a signal. The run then cleans up as usual. */
let signal: NodeJS.Signals | undefined
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(name, () => {
    signal = name
    for (const child of children) signalGroup(child, name)
  })

async function runTests({ tests, hasChecks, shard, options }: Arguments): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'callout-entries-'))
  // One more than cores: tests wait for clocks, deadlines and processes.
  const workers = Math.max(2, availableParallelism()) + 1
  const entries = await writeEntries(root, folder, { tests, workers, hasChecks, shard })
  const testRun = await startRun()
  const passed = await run([
    '--test',
    `--test-concurrency=${workers + (hasChecks ? 1 : 0)}`,
    `--test-timeout=${TIMEOUT_MS}`,
    `--test-reporter=${join(root, 'scripts/tests/test_report.ts')}`,
    '--test-reporter-destination=stdout',
    ...options,
    ...entries,
  ])
  await testRun.end()
  return passed
}

const wanted = await readArguments(root, process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
await prepare()
await useMemory()
const folder = await makeRunFolder()
const passed = signal === undefined && (await runTests(wanted))
await folder.remove()
process.exit(signal === undefined ? (passed ? 0 : 1) : 128 + constants.signals[signal])
