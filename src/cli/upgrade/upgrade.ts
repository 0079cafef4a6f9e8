import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig } from '../../platform/config/config.ts'
import { errorMessage } from '../../platform/errors/error_code.ts'
import { invalidField } from '../../platform/errors/refusal.ts'
import { command, type Report } from '../command.ts'
import { logToStderr } from '../with_database.ts'
import type { TranslatedFinding } from '../../health/finding.ts'
import { checkUpgrade } from './checks.ts'
import { copyData, restoreCopy, stopDatabase } from './data_copy.ts'
import { PLAN_FILE, readPlan, requireNoOpenUpgrade, writePlan, type Upgrade } from './plan_file.ts'
import { runProgram, switchBack, switchProgram } from './program.ts'
import { UnsafeRollbackError, startUnit, stopUnit, waitUntilReady } from './unit.ts'

export const upgradeCommand = command({
  name: 'upgrade',
  description:
    'Upgrades the installation to this release: checks, backs up, migrates and restarts. Rolls back automatically if ' +
    "that fails. Run the new release's command, as root.",
  options: {
    program: { value: '<directory>', description: 'Directory that the service runs from (/opt/callout)' },
    service: {
      value: '<unit>',
      description: 'Systemd unit of the service (callout); none if you stop and start it yourself',
    },
    backup: { value: '<file>', description: 'Backup from the last 24 hours to use instead of a new one' },
    back: { value: '<yes|no>', description: 'yes to roll back an interrupted upgrade (no)' },
  },
  run: async ({ program = '/opt/callout', service = 'callout', backup, back = 'no' }) => {
    if (back !== 'yes' && back !== 'no') throw invalidField('back', `must be yes or no (got '${back}')`)
    const config = readConfig()
    if (back === 'yes') return rollBack(await readPlan(config.dataDir), 'requested with --back yes')
    await requireNoOpenUpgrade(config.dataDir)
    return upgrade(await checkUpgrade(config, { program, unit: service === 'none' ? null : service, backup }))
  },
})

async function upgrade(plan: Upgrade): Promise<Report> {
  const { from, to, backup } = plan
  if (!backup.isThere) {
    logToStderr(`Backing up to ${backup.path}`)
    await runProgram(plan, from.folder, ['backup', '--to', backup.path])
  }
  await writePlan(plan)
  // Ctrl-C ends the current command, and the upgrade rolls back. Writes to a closed terminal are ignored.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  try {
    const since = performance.now()
    logToStderr('Stopping the service')
    await stopUnit(plan)
    await stopDatabase(plan)
    await copyData(plan)
    await switchProgram(plan)
    logToStderr(`Migrating to ${to.version}`)
    await runProgram(plan, to.folder, ['migrate'], { POSTGRES_PREVIOUS: from.moved })
    const warnings = await requireHealthy(plan)
    logToStderr('Starting the service')
    await startUnit(plan)
    await waitUntilReady(plan)
    return await finish(plan, since, warnings)
  } catch (error) {
    if (error instanceof UnsafeRollbackError) throw error
    return rollBack(plan, errorMessage(error))
  }
}

/** Doctor checks that an upgrade could break. Others are only reported. */
const ESSENTIAL_CHECKS: ReadonlySet<string> = new Set([
  'configuration',
  'data directory',
  'storage',
  'database',
  'migrations',
  'application role',
  'row-level security',
  'data key',
])

/** Runs the new release's doctor before anyone can write. Throws if an essential check fails; returns the others. */
async function requireHealthy(plan: Upgrade): Promise<string[]> {
  const out = await runProgram(plan, plan.to.folder, ['doctor', '--json'], {}, [0, 1])
  const { checks }: { checks: TranslatedFinding[] } = JSON.parse(out)
  const failed = checks.filter(({ ok }) => !ok)
  const broken = failed.find(({ check }) => ESSENTIAL_CHECKS.has(check))
  if (broken !== undefined)
    throw new Error(`the doctor of ${plan.to.version} found a problem with ${broken.check}: ${broken.says}`)
  return failed.map(({ check, says }) => `${check}: ${says}`)
}

async function finish(plan: Upgrade, since: number, warnings: readonly string[]): Promise<Report> {
  const { from, to, backup, data } = plan
  await rm(data.copy, { recursive: true, force: true })
  await rm(join(data.dataDir, PLAN_FILE))
  const seconds = Math.round((performance.now() - since) / 1000)
  const next = plan.unit === null ? ' Start the service now.' : ''
  const warningText = warnings.map((one) => `\nThe doctor found a problem with ${one}`).join('')
  return {
    json: { from: from.version, to: to.version, backup: backup.path, seconds, found: warnings },
    text:
      `Callout ${to.version} now runs from ${from.link}. Downtime: ${seconds} s.${next}\n` +
      `${from.version} is in ${from.moved}, and the backup is ${backup.path}.${warningText}`,
  }
}

/** Restores the previous program and data, and restarts the service. */
async function rollBack(plan: Upgrade, reason: string): Promise<Report> {
  const since = performance.now()
  logToStderr(`Rolling back to ${plan.from.version}: ${reason}`)
  await stopUnit(plan)
  await restoreCopy(plan)
  await switchBack(plan)
  await startUnit(plan)
  await waitUntilReady(plan)
  await rm(join(plan.data.dataDir, PLAN_FILE), { force: true })
  const seconds = Math.round((performance.now() - since) / 1000)
  return {
    json: { from: plan.from.version, to: plan.to.version, went_back: reason, seconds },
    text:
      `The upgrade was rolled back: ${reason}\n` +
      `Callout ${plan.from.version} is running again, with its data as before. The rollback took ${seconds} s.`,
    failed: true,
  }
}
