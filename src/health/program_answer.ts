import type { Database } from '../platform/db/tenant.ts'
import { errorMessage } from '../platform/errors/error_code.ts'
import { VERSION } from '../platform/version.ts'
import { databaseDownFinding } from './checks/database.ts'
import { sayFinding, wrongFinding, type Finding } from './finding.ts'
import { phrase } from '../platform/i18n/phrase.ts'
import { readReport, statusOf, worstOf, type StoredReport } from './report.ts'

/** Milliseconds the database has to answer, so that a monitor never waits longer. */
const MAX_WAIT_MS = 1_500

/** Age of a report in milliseconds from which the checks count as stopped. */
const MAX_AGE_MS = 3 * 60_000

export const isStale = (checkedAt: string, now: number): boolean => now - Date.parse(checkedAt) > MAX_AGE_MS

/** Answers a monitoring program: 200, or 503 if something is wrong or unknown. */
export async function programAnswer(database: Database): Promise<{ status: number; body: object }> {
  try {
    const stored = await readReport(database, performance.now() + MAX_WAIT_MS)
    return toAnswer(
      stored,
      stored === undefined || isStale(stored.checked_at, Date.now()) ? [noChecksFinding(stored)] : [],
    )
  } catch (error) {
    return toAnswer(undefined, [databaseDownFinding(errorMessage(error))])
  }
}

const noChecksFinding = (stored: StoredReport | undefined): Finding =>
  wrongFinding(
    'health checks',
    stored === undefined ? phrase`no checks have run yet` : phrase`the last checks ran at ${stored.checked_at}`,
    phrase`Look for 'task failed' and 'worker fault' in the service's log.`,
  )

function toAnswer(stored: StoredReport | undefined, added: readonly Finding[]): { status: number; body: object } {
  const findings = [...added, ...(stored?.report.findings ?? [])]
  const status = worstOf(findings.map(statusOf))
  return {
    status: status === 'wrong' ? 503 : 200,
    body: {
      status,
      version: VERSION,
      checked_at: stored?.checked_at ?? null,
      checks: findings.map((finding) => ({
        ...sayFinding(finding),
        status: statusOf(finding),
        since: stored?.standing[finding.check]?.since ?? null,
      })),
      measures: stored?.report.measures ?? null,
    },
  }
}
