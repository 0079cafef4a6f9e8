import { recordReview, type ReviewAction } from '../../../identity/people/reviews.ts'
import { findTenant } from '../../../identity/companies/tenants.ts'
import { transact } from '../../../platform/db/transaction.ts'
import { writeTenant, type Database, type Db } from '../../../platform/db/tenant.ts'
import { conflict, invalid, invalidField, notFound } from '../../../platform/errors/refusal.ts'
import { newId } from '../../../platform/validation/id.ts'
import { utc } from '../../../platform/validation/formats/instants.ts'
import { receiveMessage, type InboundMessage } from '../communication.ts'
import type { ReviewScope } from '../../../identity/people/review_scope.ts'
import { findTenantByNumber, findTenantsByAddress } from '../directory.ts'
import { parseEmail } from '../inbound/inbound_email.ts'
import { parseSms, type InboundSms } from '../inbound/inbound_sms.ts'
import { MAX_PAGE_BYTES, truncateBytes } from '../../../files/screening/long_text.ts'
import {
  closeManyQuarantined,
  closeQuarantined,
  findQuarantined,
  lockQuarantined,
  type QuarantineEntry,
} from './quarantine.ts'
import type { RejectionReason } from '../../../files/screening/screening.ts'
import { refusals } from './refusals.ts'

/** Waiting message, with what a person needs to decide on it. */
export type QuarantinedMessage = QuarantineEntry & {
  /** As much of the text as a page shows. */
  body: string
  dmarc: InboundMessage['dmarc']
  /** Attachments as they would be stored; `reason` is set on one that would be rejected. */
  attachments: { file_name: string; content_type: string; size_bytes: number | null; reason: RejectionReason | null }[]
}

/** Returns one waiting message in a scope, as people read it. */
export async function openQuarantined(database: Database, scope: ReviewScope, id: string): Promise<QuarantinedMessage> {
  const { raw, content_hash: _, ...row } = await findQuarantined(database, scope, id)
  const message = await messageIn(row, raw)
  const attachments = (message?.attachments ?? []).map(({ file_name, content_type, size_bytes, reason }) => ({
    file_name,
    content_type,
    size_bytes,
    reason,
  }))
  return {
    ...row,
    body: truncateBytes(message?.body ?? row.excerpt, MAX_PAGE_BYTES),
    dmarc: message?.dmarc ?? null,
    attachments,
  }
}

/**
 * Delivers a waiting message to a company as if it had been sent there; if its id is taken, it is stored beside the
 * other message. An owner can assign it only to their own company.
 */
export async function assignQuarantined(
  database: Database,
  scope: ReviewScope,
  id: string,
  tenant: string,
): Promise<QuarantineEntry> {
  const company = await findTenant(database, tenant)
  if (scope.tenant !== null && scope.tenant !== company.id) throw notFound('tenant')
  const { tenant_id } = await findQuarantined(database, scope, id)
  if (tenant_id !== null && tenant_id !== company.id) throw conflict(refusals.otherCompany())
  return deliverQuarantined(database, scope, 'quarantine.assign', id, [company.id])
}

/** Delivers a waiting message again, using the current numbers and addresses. */
export async function replayQuarantined(database: Database, scope: ReviewScope, id: string): Promise<QuarantineEntry> {
  const { channel, recipients, reason } = await findQuarantined(database, scope, id)
  if (reason === 'other_content') throw conflict(refusals.sameId())
  const tenants =
    channel === 'email'
      ? await findTenantsByAddress(database, recipients)
      : [(await findTenantByNumber(database, recipients[0] ?? '')) ?? []].flat()
  if (tenants.length === 0)
    throw conflict(refusals.unknownRecipient({ recipients: recipients.slice(0, 3).join(', ') || 'its recipient' }))
  return deliverQuarantined(database, scope, 'quarantine.replay', id, tenants)
}

export async function discardQuarantined(database: Database, scope: ReviewScope, id: string): Promise<QuarantineEntry> {
  const { raw: _, content_hash: __, ...waiting } = await findQuarantined(database, scope, id)
  await transact(database, async (send) => {
    const [ended] = await send([closeQuarantined(id, 'discarded', [])])
    if (ended.count === 0) throw notFound('quarantined message')
    await send([recordReview(scope.by, 'quarantine.discard', id, facts(waiting, []))])
  })
  return waiting
}

/** Discards many messages: of a sender, of a domain, older than a number of days. Returns how many. */
export async function discardManyQuarantined(
  database: Database,
  scope: ReviewScope,
  { sender, domain, days }: { sender: string; domain: string; days: string },
): Promise<number> {
  const filter = {
    sender: sender.trim().toLowerCase() || undefined,
    domain: domain.trim().toLowerCase().replace(/^@/, '') || undefined,
    before: momentBefore(days.trim()),
  }
  if (Object.values(filter).every((part) => part === undefined)) throw invalid(refusals.noFilter())
  return transact(database, async (send) => {
    const [ended] = await send([closeManyQuarantined(scope, filter)])
    if (ended.count > 0)
      await send([recordReview(scope.by, 'quarantine.discard_many', newId(), { ...filter, messages: ended.count })])
    return ended.count
  })
}

function momentBefore(days: string): string | undefined {
  if (days === '') return undefined
  if (!/^\d{1,4}$/.test(days)) throw invalidField('days', refusals.days({ value: days.slice(0, 20) }))
  return utc(Temporal.Now.instant().subtract({ hours: 24 * Number(days) }))
}

/**
 * Stores the message in each company in a separate transaction. The last one closes the entry, so an interrupted
 * decision can be retried.
 */
async function deliverQuarantined(
  database: Database,
  scope: ReviewScope,
  action: ReviewAction,
  id: string,
  tenants: readonly string[],
): Promise<QuarantineEntry> {
  const { raw, content_hash, ...waiting } = await findQuarantined(database, scope, id)
  const parsed = await messageIn(waiting, raw)
  // The hash is of the original, of which only a part may be stored.
  const message = parsed && { ...parsed, content_hash }
  if (message === undefined) throw conflict(refusals.unreadable())
  for (const [i, tenant] of tenants.entries()) {
    await writeTenant(database, { tenant }, async (db) => {
      await db.present(lockQuarantined(id), 'quarantined message')
      await receiveWithUniqueId(db, message, id)
      if (i === tenants.length - 1)
        await Promise.all([
          db.run(closeQuarantined(id, 'assigned', tenants)),
          db.run(recordReview(scope.by, action, id, facts(waiting, tenants))),
        ])
    })
  }
  return waiting
}

const messageIn = async ({ channel }: QuarantineEntry, raw: Buffer): Promise<InboundMessage | undefined> =>
  channel === 'email' ? parseEmail(raw) : parseSms(JSON.parse(raw.toString()) as InboundSms)

async function receiveWithUniqueId(db: Db, message: InboundMessage, quarantined: string): Promise<void> {
  if ((await receiveMessage(db, message)) !== 'collided') return
  await receiveMessage(db, { ...message, provider_message_id: `${message.provider_message_id}#${quarantined}` })
}

const facts = ({ reason, channel, provider_message_id }: QuarantineEntry, tenants: readonly string[]) => ({
  reason,
  channel,
  message: provider_message_id,
  tenants,
})
