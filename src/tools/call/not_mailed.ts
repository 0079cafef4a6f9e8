import { sql } from '../../platform/db/tenant.ts'
import type { Warning } from '../../platform/errors/refusal_text.ts'
import type { RunContext } from '../declare/define.ts'
import { warnings } from './refusals.ts'

/**
 * Warns a model that the status `sent` mails nothing, unless a message with the document is pending or was sent. Its
 * query joins the round trip of its tick.
 */
export async function notMailedWarnings(
  { db, caller, baseUrl, forAgent }: RunContext,
  kind: 'invoices' | 'quotes',
  { id, display_number, status }: { id: string; display_number: string; status: string },
  to: string,
): Promise<Warning[]> {
  if (forAgent !== true || to !== 'sent' || status === 'sent') return []
  const mailed = await db.maybe(sql`select id from outbox
      where tenant_id = ${db.tenant} and about_kind = ${kind} and about_id = ${id}
    and cause = 'sent' and state not in ('failed', 'held', 'cancelled') limit 1`)
  return mailed === undefined
    ? [warnings.notMailed({ number: display_number, url: `${baseUrl}/${caller.tenant.id}/${kind}/${id}/send` })]
    : []
}
