import { spawn } from 'node:child_process'
import { getPriority, setPriority } from 'node:os'
import { it } from 'node:test'

const LOW_PRIORITY = 10

/**
 * Settings of the Go runtime for tsc and the lint: one core, beside the tests, and fewer garbage collections. Both save
 * processor time.
 */
export const ON_ONE_CORE = { GOMAXPROCS: '1', GOGC: '400' }

/** Runs the type check and the lint as tests beside the others. If one fails, the run fails. */
export function runChecks(root: string): void {
  for (const script of ['typecheck', 'lint']) it(script, ({ signal }) => runScript(root, script, signal))
}

/** Runs a script of package.json. If it fails, the error has its output. */
export async function runScript(root: string, script: string, signal: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, ['--run', script], {
    cwd: root,
    detached: true,
    env: { ...process.env, ...ON_ONE_CORE },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // Low priority, because two compilers would distort tests that measure time.
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
