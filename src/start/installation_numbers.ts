import { readReport, statusOf, type StoredReport } from '../health/report.ts'
import type { Database } from '../platform/db/tenant.ts'
import type { InstallationNumbers } from '../platform/telemetry/metrics/installation.ts'

/** Maximum time in milliseconds that a scrape waits for the database. */
const MAX_WAIT_MS = 1_500

const LEVELS = { ok: 0, warning: 1, wrong: 2 } as const

/** Returns a function that reads the latest report for the metrics; while no connection is free, the previous one. */
export function openInstallationReader(database: Database): () => Promise<InstallationNumbers | undefined> {
  let last: StoredReport | undefined
  return async () => {
    const { used, max } = database.load()
    if (used < max) last = await readReport(database, performance.now() + MAX_WAIT_MS)
    return last && numbersOf(last)
  }
}

function numbersOf({ checked_at: checkedAt, report: { findings, measures } }: StoredReport): InstallationNumbers {
  const { oldest_at: oldestAt, ...messages } = measures.messages
  return {
    checkedAt: Date.parse(checkedAt) / 1_000,
    checks: Object.fromEntries(findings.map((finding) => [finding.check, LEVELS[statusOf(finding)]])),
    messages,
    oldestMessage: oldestAt === null ? 0 : ageOf(oldestAt),
    lateTasks: Object.fromEntries(measures.tasks.map(({ task, minutes }) => [task, minutes * 60])),
    quarantined: measures.quarantine,
    backups: Object.fromEntries(
      Object.entries(measures.backups).flatMap(([kind, { succeeded_at: at }]) =>
        at === null ? [] : [[kind, ageOf(at)]],
      ),
    ),
  }
}

const ageOf = (at: string): number => Math.max(0, (Date.now() - Date.parse(at)) / 1_000)
