import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startRun } from '../test/harness/server.ts'
import { prepare } from './prepare.ts'
import { KINDS, entriesOf, writeEntries, type Kind } from './test_kinds.ts'

// npm test: what it needs, types and lint, then every test in one run of Node's own runner against one shared PostgreSQL.
// With kinds or files (`node scripts/test.ts http`, `node scripts/test.ts test/work/jobs.test.ts`) those tests alone.
const root = new URL('..', import.meta.url).pathname
const isKind = (word: string): word is Kind => (KINDS as readonly string[]).includes(word)
const given = process.argv.slice(2)
const kinds = given.filter(isKind)
const files = given.filter((word) => !isKind(word))

/** Ends a process that hangs; four browser files in one take six minutes on a quiet machine. */
const TIMEOUT_MS = 1_500_000

/** Keeps what was stripped of its types and compiled once, as bin/callout keeps it. */
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules/.cache/callout')

const children = new Set<ChildProcess>()

const run = (args: string[]): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
    children.add(child)
    child.on('exit', (code) => {
      children.delete(child)
      resolve(code === 0)
    })
  })

/** Ends what runs when this process is told to end; the run then cleans up behind it as after any other. */
let signal: NodeJS.Signals | undefined
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.on(name, () => {
    signal = name
    for (const child of children) child.kill(name)
  })

async function checked(): Promise<void> {
  const steps = ['typecheck', 'lint']
  const passed = await Promise.all(steps.map((step) => run(['--run', step])))
  const failed = steps.filter((_, i) => !passed[i])
  if (failed.length === 0) return
  process.stderr.write(`npm test: ${failed.join(' and ')} failed\n`)
  process.exit(1)
}

async function tested(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'callout-entries-'))
  const entries = await writeEntries(root, folder, await entriesOf(root, kinds.length > 0 ? kinds : KINDS, files))
  const testRun = await startRun()
  const passed = await run([
    '--test',
    `--test-concurrency=${Math.max(2, availableParallelism())}`,
    `--test-timeout=${TIMEOUT_MS}`,
    ...entries,
  ])
  await testRun.end()
  await rm(folder, { recursive: true, force: true })
  return passed
}

await prepare()
if (given.length === 0) await checked()
const passed = signal === undefined && (await tested())
process.exit(signal === undefined ? (passed ? 0 : 1) : 128 + constants.signals[signal])
