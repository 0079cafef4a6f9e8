import { spawn } from 'node:child_process'
import { it } from 'node:test'

/** Types and style, as tests beside the others: they are counted among them, and a red one makes the run red. */
export function runChecks(root: string): void {
  for (const script of ['typecheck', 'lint']) it(script, ({ signal }) => runScript(root, script, signal))
}

async function runScript(root: string, script: string, signal: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, ['--run', script], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const end = (): void => void (child.pid !== undefined && child.exitCode === null && process.kill(-child.pid))
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => (end(), process.exit(1)))
  signal.addEventListener('abort', end)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (output += piece.toString()))
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error(`npm run ${script} failed\n${output}`)
}
