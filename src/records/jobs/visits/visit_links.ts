import { say } from '../../../platform/i18n/say.ts'
import type { PageContext } from '../../page/page_context.ts'
import type { ActionLink } from '../../page/screen.ts'
import type { Results } from '../../../tools/declare/results.ts'

/** Returns the links of a visit: to announce the arrival, to send a confirmation, and to text the customer. */
export function visitLinks(context: PageContext, { id, status, customer_id }: Results['jobs_get']): ActionLink[] {
  const maySeeCustomer = context.may('read:customers')
  const links: ActionLink[] = []
  if (status === 'scheduled' && context.may('write:jobs')) {
    links.push({ label: say`On my way`, href: context.path('jobs', id, 'on-my-way'), kind: 'main' })
    if (maySeeCustomer) links.push({ label: say`Send confirmation`, href: context.path('jobs', id, 'send') })
  }
  if (status !== 'cancelled' && maySeeCustomer && context.may('write:customers'))
    links.push({ label: say`Text customer`, href: `${context.path('messages', 'with', customer_id)}#reply` })
  return links
}
