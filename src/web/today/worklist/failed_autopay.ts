import { listFailedRuns } from '../../../payments/saved/autopay_runs.ts'
import { say } from '../../../platform/i18n/say.ts'
import { money, shortDay } from '../../../records/format/formats.ts'
import { recordLink } from '../../../records/page/links.ts'
import type { MemberContext } from '../../member_context.ts'
import { MAX_ITEMS, type WorkGroup } from './worklist.ts'

/** Lists automatic payments that failed and are still due. */
export async function listAutopayFailures(context: MemberContext): Promise<WorkGroup> {
  const failed = await context.read(listFailedRuns)
  return {
    title: say`Automatic payments that failed`,
    count: failed.length,
    items: failed
      .slice(0, MAX_ITEMS)
      .map((run) => ({
        title: recordLink(context, 'invoices', run.invoice_id, run.display_number),
        help:
          run.state === 'waiting'
            ? say`${run.customer_name}, tried again on ${shortDay(run.charge_on)}`
            : say`${run.customer_name}, not tried again`,
        mark: money(run.balance_due_cents, run.currency),
        step: { label: say`Review`, href: context.path('invoices', run.invoice_id), about: run.display_number },
      })),
  }
}
