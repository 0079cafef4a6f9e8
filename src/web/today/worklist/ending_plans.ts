import { say } from '../../../platform/i18n/say.ts'
import { shortDay } from '../../../records/format/formats.ts'
import { recordLink } from '../../../records/page/links.ts'
import { listEndingPlans } from '../../../records/plans/index.ts'
import type { MemberContext } from '../../member_context.ts'
import { MAX_ITEMS, type WorkGroup } from './worklist.ts'

/** Lists plans that end soon, so that someone renews them or lets them end. */
export async function endingPlans(context: MemberContext, today: Temporal.PlainDate): Promise<WorkGroup> {
  const ending = await context.read((db) => listEndingPlans(db, today.toString()))
  return {
    title: say`Plans that end soon`,
    count: ending.length,
    items: ending
      .slice(0, MAX_ITEMS)
      .map(({ id, name, customer_name, end_date }) => ({
        title: recordLink(context, 'plans', id, name),
        help: customer_name,
        mark: shortDay(end_date),
        step: { label: say`Renew or end`, href: context.path('plans', id), about: name },
      })),
  }
}
