import { html, when, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import { say } from '../../../platform/i18n/say.ts'
import { findBouncedAddresses, type BounceSubject } from '../../../messaging/opt_out/suppression.ts'
import { mayReadMessages } from '../../../messaging/inbox/rights.ts'
import { phone } from '../../../records/format/formats.ts'
import type { MemberContext } from '../../member_context.ts'

const RECORDS: readonly string[] = ['customers', 'invoices', 'quotes', 'jobs'] satisfies BounceSubject[]

const isBounceSubject = (records: string): records is BounceSubject => RECORDS.includes(records)

/** Draws the bounced addresses of a record's customer, for members who may see customers. */
export async function bounceNotices(context: MemberContext, records: string, id: string): Promise<readonly Html[]> {
  if (!isBounceSubject(records) || !context.may('read:customers')) return []
  const bounced = await context.read((db) => findBouncedAddresses(db, records, id))
  return bounced.map(({ address, detail }) =>
    notice({
      kind: 'warning',
      title: say`Messages to ${address.includes('@') ? address : phone(address)} bounced`,
      body: html`${detail ?? ''} ${when(
        mayReadMessages(context),
        () =>
          html`<a href="${context.path('outbox', 'suppressed')}">${say`Correct the address, or allow it again`}</a>`,
      )}`,
    }),
  )
}
