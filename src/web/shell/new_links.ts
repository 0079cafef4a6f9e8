import { mayWriteMessages } from '../../messaging/inbox/rights.ts'
import { screens } from '../../records/screens.ts'
import { say } from '../../platform/i18n/say.ts'
import { mayWrite } from '../../records/page/screen.ts'
import type { MemberContext } from '../member_context.ts'

/** Returns the records a user may create from any page: a call first, then in the order of a day's work. */
export function newLinks(context: MemberContext): { label: string; href: string }[] {
  const may = (name: string): boolean => {
    const { entity } = screens.find((screen) => screen.entity.name === name)!
    return context.may(`read:${entity.subject}`) && mayWrite(context, entity)
  }
  const newRecordLink = (name: string, label: string) => (may(name) ? [{ label, href: context.path(name, 'new') }] : [])
  return [
    ...(may('jobs') && context.may('read:customers')
      ? [{ label: say`New call`, href: context.path('calls', 'new') }]
      : []),
    ...newRecordLink('jobs', say`New job`),
    ...newRecordLink('customers', say`New customer`),
    ...newRecordLink('quotes', say`New quote`),
    ...newRecordLink('invoices', say`New invoice`),
    ...newRecordLink('job_series', say`New recurring job`),
    ...(mayWriteMessages(context) ? [{ label: say`New message`, href: context.path('messages', 'new') }] : []),
    ...newRecordLink('notes', say`New note`),
  ]
}
