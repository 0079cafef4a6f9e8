import { html, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import { say } from '../../../platform/i18n/say.ts'
import { bouncedFor, type BouncedFor } from '../../../messaging/opt_out/suppression.ts'
import { phone } from '../../../records/format/formats.ts'
import type { MemberContext } from '../../member_context.ts'

const RECORDS: readonly string[] = ['customers', 'invoices', 'quotes', 'jobs'] satisfies BouncedFor[]

const isAbout = (records: string): records is BouncedFor => RECORDS.includes(records)

/** Draws which addresses of a record's customer messages came back from, for those who may see customers. */
export async function bouncedNotice(context: MemberContext, records: string, id: string): Promise<readonly Html[]> {
  if (!isAbout(records) || !context.may('read:customers')) return []
  const bounced = await context.read((db) => bouncedFor(db, records, id))
  return bounced.map(({ address, detail }) =>
    notice({
      kind: 'warning',
      title: say`Messages to ${address.includes('@') ? address : phone(address)} came back`,
      body: html`${detail ?? ''} <a href="${context.path('outbox', 'suppressed')}">${say`Correct the address, or allow it again`}</a>`,
    }),
  )
}
