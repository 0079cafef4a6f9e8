import { spawn } from 'node:child_process'
import { getPriority, setPriority } from 'node:os'
import { it } from 'node:test'

const LOW_PRIORITY = 10

/**
 * Lets tsc and the lint, which are Go, run on one core beside the tests, and leave more garbage before they collect it:
 * both take them less time of the processor.
 */
export const ON_ONE_CORE = { GOMAXPROCS: '1', GOGC: '400' }

/** Types and style, as tests beside the others: they are counted among them, and a red one makes the run red. */
export function runChecks(root: string): void {
  for (const script of ['typecheck', 'lint']) it(script, ({ signal }) => runScript(root, script, signal))
}

/** Runs a script of package.json; what it printed is the reason where it fails. */
export async function runScript(root: string, script: string, signal: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, ['--run', script], {
    cwd: root,
    detached: true,
    env: { ...process.env, ...ON_ONE_CORE },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // Tests that measure a time would notice two compilers beside them, so these run on what the tests leave.
  if (child.pid !== undefined) setPriority(child.pid, Math.max(getPriority(), LOW_PRIORITY))
  const end = (): void => void (child.pid !== undefined && child.exitCode === null && process.kill(-child.pid))
  for (const name of ['SIGTERM', 'SIGINT'] as const)
    process.once(name, () => {
      end()
      process.exit(1)
    })
  signal.addEventListener('abort', end)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (output += piece.toString()))
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error(`npm run ${script} failed\n${output}`)
}
