import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What a test needs: nothing; a database and the service; a browser as well. */
export const KINDS = ['unit', 'http', 'browser'] as const
export type Kind = (typeof KINDS)[number]

/** Which of the two runs a test belongs to: `npm test`, or `npm run test:all` for the rest. Together they are everything. */
export const RUNS = ['quick', 'rest'] as const
export type Run = (typeof RUNS)[number]

/** A test file. `isAlone` files measure their whole process, so each has a process of its own. */
export type TestFile = { path: string; kind: Kind; run: Run; isAlone: boolean; bytes: number }

/** Pages and offline paths that `npm test` looks at in a browser; all other browser tests are in `npm run test:all`. */
export const SMOKE =
  /^test\/browser\/(shell|weekly|looks|drafts|calls|money|undo|proposals|outbox|field|field_forms|field_traffic)\.test\.ts$/

/** Tests left to `npm run test:all`, with the reason each is slow. */
export const SLOW: readonly RegExp[] = [
  // A copy of the whole checkout with a 14th entity: types, lint and nine walking tests.
  /^test\/guide\//,
  // Random histories, and agents that work by what they read.
  /^test\/(model|agent)\//,
  /^test\/(proposals\/histories|undo\/property)\.test\.ts$/,
  // Clients and test suites of others.
  /^test\/(conformance|deploy)\//,
  /^test\/tools\/inspector\.test\.ts$/,
  // A process for each command.
  /^test\/operation\/\w*(cli|doctor|settings_file|start)\w*\.test\.ts$/,
  // Backups, archives of companies, upgrades, other databases.
  /^test\/operation\/(backup|cluster|copy|every_schema|later_schema|nightly|upgrade)\w*\.test\.ts$/,
  /^test\/moving\//,
  // Killed and several processes, load, cost.
  /^test\/operation\/(cost|load|processes|restart|test_run|demo\w*)\.test\.ts$/,
  /^src\/db\/proof\.test\.ts$/,
  // Every way to take over an address, and passwords at their real cost.
  /^test\/access\/(unproved_accounts|pre_hijack\w*)\.test\.ts$/,
  /^src\/access\/sign_in\/(sign_in_limits|chosen_password)\.test\.ts$/,
]

/** Matches tests of what is true of a whole process: they are measured in one that does nothing else. */
const OF_A_PROCESS = /process\.memoryUsage|eventLoopUtilization|cost\/search\.ts/

const STARTS = /from '[^']*\/(harness\/|cost\/|embedded)|node:child_process/

/** Lists all test files, sorted by path. */
export async function listTests(root: string): Promise<TestFile[]> {
  const paths: string[] = []
  for await (const path of glob(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root })) paths.push(path)
  return Promise.all(paths.sort().map((path) => describeTest(root, path)))
}

/** A unit test imports nothing of the harness and starts no process. */
export async function describeTest(root: string, path: string): Promise<TestFile> {
  const text = await readFile(join(root, path), 'utf8')
  const isBrowser = path.startsWith('test/browser/')
  const kind = isBrowser ? 'browser' : STARTS.test(text) ? 'http' : 'unit'
  const isSlow = isBrowser ? !SMOKE.test(path) : SLOW.some((pattern) => pattern.test(path))
  return { path, kind, run: isSlow ? 'rest' : 'quick', isAlone: OF_A_PROCESS.test(text), bytes: text.length }
}
