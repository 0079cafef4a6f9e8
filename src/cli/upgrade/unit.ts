import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Upgrade } from './plan_file.ts'

const run = promisify(execFile)

/** Thrown once the new release has answered, because a rollback would lose data it accepted. */
export class UnsafeRollbackError extends Error {}

/** Milliseconds a service has to become ready. */
const READY_TIMEOUT = 60_000

/** Checks whether systemd knows a unit. */
export const hasUnit = (unit: string): Promise<boolean> =>
  run('systemctl', ['show', unit, '--property=LoadState', '--value']).then(
    ({ stdout }) => stdout.trim() === 'loaded',
    () => false,
  )

export async function stopUnit({ unit }: Upgrade): Promise<void> {
  if (unit !== null) await run('systemctl', ['stop', unit])
}

export async function startUnit({ unit }: Upgrade): Promise<void> {
  if (unit !== null) await run('systemctl', ['start', unit])
}

/**
 * Waits until the service is ready. Throws `UnsafeRollbackError` if it answered but isn't ready in time, because it may
 * have accepted data that a rollback would lose.
 */
export async function waitUntilReady({ unit, ready, to }: Upgrade): Promise<void> {
  if (unit === null) return
  const deadline = performance.now() + READY_TIMEOUT
  let answered = false
  while (performance.now() < deadline) {
    const status = await fetch(ready, { signal: AbortSignal.timeout(3_000) }).then(
      ({ status: code }) => code,
      () => undefined,
    )
    if (status === 200) return
    answered ||= status !== undefined
    const state = await run('systemctl', ['is-active', unit]).then(
      ({ stdout }) => stdout.trim(),
      (error: { stdout?: string }) => (error.stdout ?? '').trim(),
    )
    if (state === 'failed' || state === 'inactive')
      throw new Error(`the unit ${unit} is ${state}: see journalctl -u ${unit}`)
    await sleep(100)
  }
  if (!answered) throw new Error(`the service did not respond at ${ready} within a minute: see journalctl -u ${unit}`)
  throw new UnsafeRollbackError(
    `Callout ${to.version} is running but not ready: see journalctl -u ${unit} for the reason. ` +
      'To roll back and lose what it accepted: callout upgrade --back yes',
  )
}
