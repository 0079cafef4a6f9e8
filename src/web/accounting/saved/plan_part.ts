import { findPlanAutopay } from '../../../payments/saved/autopay_consent.ts'
import type { Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import { say } from '../../../platform/i18n/say.ts'
import { moment } from '../../../records/format/formats.ts'
import type { MemberContext } from '../../member_context.ts'

/** Draws a notice that a plan's invoices are sent and charged automatically, if its customer agreed to that. */
export async function planAutopayPart(context: MemberContext, plan: string): Promise<Html | ''> {
  if (!context.may('read:invoices')) return ''
  const autopay = await context.read((db) => findPlanAutopay(db, plan))
  return autopay === undefined
    ? ''
    : notice({
        kind: 'info',
        title: say`The customer pays this plan automatically`,
        body: say`Agreed on ${moment(autopay.consented_at, context.company.timezone)}. Each invoice is sent three days before it is due, and charged then.`,
      })
}
