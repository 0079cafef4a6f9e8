import { rowsOf, sql, type Database } from '../../platform/db/tenant.ts'
import { onlyRow } from '../../platform/db/sql.ts'
import { phrase, phraseCount } from '../../platform/i18n/phrase.ts'
import { VERSION } from '../../platform/version.ts'
import { warningFinding, wrongFinding, type Finding } from '../finding.ts'
import { joinPhrases } from './messages.ts'

/** State that a process reports with each heartbeat. */
export type ProcessState = {
  pid: number
  version: string
  started_at: string
  /** Resident memory in bytes. */
  rss: number
  connections: { used: number; max: number; waiting: number }
  /** Number of webhooks answered with 5xx within 15 minutes, by endpoint. */
  failed_webhooks: Readonly<Record<string, number>>
}

/** Reads the last reported state of each live process. */
export async function readProcesses(send: Database['send']): Promise<ProcessState[]> {
  const rows = await rowsOf(
    send,
    sql<{ state: ProcessState }>`select state from worker_processes
      where state is not null and seen_at > now() - interval '1 minute' order by id limit 256`,
  )
  return rows.map(({ state }) => state)
}

/** Reports missing processes, processes of another release, and requests waiting for a connection. */
export function processesFinding(processes: readonly ProcessState[], expected: number): Finding {
  const check = 'processes'
  const message = phraseCount(processes.length, '{0} process running', '{0} processes running')
  if (processes.length < expected)
    return warningFinding(
      check,
      phrase`${message}, ${expected} expected`,
      phrase`Look in the log for a process that exited; the service starts a replacement.`,
    )
  const other = processes.find(({ version }) => version !== VERSION)
  if (other !== undefined)
    return warningFinding(
      check,
      phrase`${message}, on releases ${VERSION} and ${other.version}`,
      phrase`Restart the processes still on the earlier release.`,
    )
  const waiting = processes.reduce((sum, { connections }) => sum + connections.waiting, 0)
  const queue = phraseCount(waiting, '{0} request waiting', '{0} requests waiting')
  if (waiting > 0)
    return warningFinding(
      check,
      phrase`${message}, ${queue} for a database connection`,
      phrase`If this continues, raise DATABASE_CONNECTIONS, or look for slow queries in PostgreSQL.`,
    )
  return { check, ok: true, says: message }
}

/** Reports webhooks that failed with 5xx. */
export function webhookFailuresFinding(processes: readonly ProcessState[]): Finding {
  const check = 'webhook failures'
  const sums = new Map<string, number>()
  for (const { failed_webhooks: failed } of processes)
    for (const [endpoint, count] of Object.entries(failed)) sums.set(endpoint, (sums.get(endpoint) ?? 0) + count)
  const list = joinPhrases([...sums].map(([endpoint, count]) => phrase`${endpoint} ${count}`))
  return list === undefined
    ? { check, ok: true, says: phrase`none in the last 15 minutes` }
    : wrongFinding(
        check,
        phrase`server errors in the last 15 minutes: ${list}`,
        phrase`Look for 'webhook fault' in the log. Providers retry for a few hours, so fix it soon.`,
      )
}

/** Reports whether there is an operator to mail when something fails. */
export async function operatorsFinding(send: Database['send']): Promise<Finding> {
  const check = 'operators'
  const [answer] = await send([sql<{ count: number }>`select count(*)::int as count from operators`])
  const { count } = onlyRow(answer)
  return count === 0
    ? warningFinding(
        check,
        phrase`there are none, so nobody gets an email when something breaks`,
        phrase`Run: callout operator add <email>`,
      )
    : { check, ok: true, says: phraseCount(count, '{0} person', '{0} people') }
}
