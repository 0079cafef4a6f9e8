import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Needs of a test: nothing; a database and the service; a browser as well. */
export const KINDS = ['unit', 'http', 'browser'] as const
export type Kind = (typeof KINDS)[number]

/** The two runs: `npm test`, and `npm run test:all` for the rest. Together they are everything. */
export const RUNS = ['quick', 'rest'] as const
export type Run = (typeof RUNS)[number]

/** A test file. `isAlone` files measure their whole process, so each has a process of its own. */
export type TestFile = { path: string; kind: Kind; run: Run; isAlone: boolean; bytes: number }

/** Browser tests of `npm test`: the main pages and the offline paths. All others are in `npm run test:all`. */
export const SMOKE: ReadonlySet<string> = new Set(
  ['drafts', 'looks', 'mobile/field_forms', 'mobile/field_traffic', 'outbox', 'shell', 'work/calls', 'work/money'].map(
    (name) => `test/browser/${name}.test.ts`,
  ),
)

/** Tests left to `npm run test:all`, with the reason each is slow. */
export const SLOW: readonly RegExp[] = [
  // A copy of the whole checkout with a 14th entity: types, lint and nine walking tests.
  /^test\/guide\//,
  // Random histories, and agents that work by what they read.
  /^test\/(model|agent)\//,
  // The exam with scripted agents, its checks and its command.
  /^test\/exam\/(exam\w*|command)\.test\.ts$/,
  /^test\/(approvals\/histories|books\/(?:model|kills)|undo\/property|payments\/payments_model)\.test\.ts$/,
  // Clients and test suites of others.
  /^test\/(conformance|deploy)\//,
  /^test\/tools\/protocol\/inspector\.test\.ts$/,
  /^src\/mcp\/oracle\.test\.ts$/,
  // An installation at work: commands, backups, upgrades, several and killed processes, load, cost, telemetry.
  /^test\/operation\/(?!test_plan)/,
  /^src\/platform\/db\/(connections\/session_check|embedded\/(embedded|adoption))\.test\.ts$/,
  /^test\/isolation\/pooler\.test\.ts$/,
  /^test\/(outbox|webhooks)\/killed\.test\.ts$/,
  /^test\/(webhooks\/slow_bodies|pages\/imports\/uploads)\.test\.ts$/,
  // Archives: companies that come and go, exports, erasure.
  /^test\/(tenant_file|privacy)\//,
  // A thousand days against their optimum, and a year of work.
  /^test\/scheduling\/\w+_long\.test\.ts$/,
  // Imports of whole files: workbooks, books of other programs.
  /^test\/pages\/imports\/coming\w*\.test\.ts$/,
  // Every way to take over an address, every session that a reset ends, and passwords at their real cost.
  /^test\/identity\/(pre_hijack\/\w+|bound_sessions)\.test\.ts$/,
  /^src\/identity\/sign_in\/passwords\/(passwords|chosen_password)\.test\.ts$/,
]

/** Matches tests that measure a whole process, or set its clock. They run in a process of their own. */
const OF_A_PROCESS = /process\.memoryUsage|eventLoopUtilization|cost\/search\.ts|exam\/environment\/environment\.ts/

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
  const isSlow = isBrowser ? !SMOKE.has(path) : SLOW.some((pattern) => pattern.test(path))
  return { path, kind, run: isSlow ? 'rest' : 'quick', isAlone: OF_A_PROCESS.test(text), bytes: text.length }
}
