import { sweepRequests } from '../../identity/providers/requests.ts'
import { sweepAttempts } from '../../identity/sign_in/attempts.ts'
import { MAX_REMOVED_AT_ONCE, sweepClients } from '../../identity/credentials/clients/clients.ts'
import {
  deleteAuthorizations,
  deleteOldAuthorizations,
  sweepRecords,
} from '../../identity/credentials/clients/grants.ts'
import { sweepAuthenticators } from '../../identity/factors/authenticator.ts'
import { sweepChallenges } from '../../identity/factors/challenges.ts'
import { sweepPending } from '../../identity/factors/pending_sign_in.ts'
import { sweepAccountEvents } from '../../identity/security/account_events.ts'
import { sweepCompanyLinks } from '../../identity/companies/starting/company_links.ts'
import { sweepAccountLinks } from '../../identity/security/account_links.ts'
import { sweepAccountMails } from '../../identity/security/notices/account_mail.ts'
import { sweepBrowsers } from '../../identity/sign_in/known_browsers.ts'
import { sweepSigningKeys } from '../../identity/credentials/tokens/signing_keys.ts'
import { sweepRateWindows } from '../../identity/credentials/rate_limits.ts'
import { sweepSessionUses } from '../../identity/sign_in/session_uses.ts'
import { sweepSessions } from '../../identity/sign_in/sessions.ts'
import { sweepPushes } from '../../messaging/push/deliver.ts'
import { sweepDevices } from '../../messaging/push/device.ts'
import { sweepUnknownStatuses } from '../../messaging/outbox/delivery_status.ts'
import { sweepField } from '../../mobile/sweeping.ts'
import { sweepCheckoutPages } from '../../payments/checkout_pages.ts'
import type { Db } from '../../platform/db/tenant.ts'
import { sweepHolds } from '../../scheduling/holds.ts'
import { sweepRemovalNotes } from '../../tools/call/by_change.ts'
import { sweepAnswers } from '../../tools/call/idempotency.ts'
import { sweepToolUses } from '../../undo/activity.ts'
import { JOURNAL_DAYS, sweepJournal } from '../../undo/journal.ts'
import { sweepProposals } from '../../approvals/undecided.ts'
import { utc } from '../../platform/validation/formats/instants.ts'
import type { ServiceRun, TenantRun } from '../periodic_task.ts'

const BATCH_SIZE = 5_000

/** Removes stored answers of idempotency keys after 24 hours (docs/spec/interface.md#idempotency). */
export const sweepKeys = (run: TenantRun): Promise<void> => sweepOlder(run, { hours: 24 }, sweepAnswers)

/** Removes the records of deletions after 30 days (docs/spec/interface.md#removed-records). */
export const sweepRemovals = (run: TenantRun): Promise<void> => sweepOlder(run, { hours: 30 * 24 }, sweepRemovalNotes)

/** Removes checkout pages 30 days after they were made (docs/spec/links.md#checkout). */
export const sweepCheckouts = (run: TenantRun): Promise<void> => sweepOlder(run, { hours: 30 * 24 }, sweepCheckoutPages)

/**
 * Removes journal rows after 30 days, when their changes can't be undone any more, counts of reads after 90 days
 * (docs/spec/undo.md#the-journal), booking holds that ended a day ago, old session uses, push devices of ended
 * sessions, and unsent pushes.
 */
export async function sweepActivity(run: TenantRun): Promise<void> {
  await sweepOlder(run, { hours: 24 * JOURNAL_DAYS }, sweepJournal)
  await sweepOlder(run, { hours: 24 }, sweepHolds)
  await run.write((db) => sweepToolUses(db, run.now))
  await run.write((db) => sweepSessionUses(db, run.now))
  await run.write((db) => sweepDevices(db))
  await run.write((db) => sweepPushes(db, run.now))
}

/** Removes rows above an age, in batches until none are left. */
async function sweepOlder(
  { now, write }: TenantRun,
  age: { hours: number },
  sweep: (db: Db, before: string, limit: number) => Promise<number>,
): Promise<void> {
  const before = utc(now.subtract(age))
  while ((await write((db) => sweep(db, before, BATCH_SIZE))) === BATCH_SIZE);
}

/** Removes leftovers of phones: photo pieces after 7 days, event ids after 90 (docs/spec/field.md#photos). */
export async function sweepPhones({ now, write }: TenantRun): Promise<void> {
  while ((await write((db) => sweepField(db, now, PIECE_BATCH_SIZE))) === PIECE_BATCH_SIZE);
}

/** Number of photo pieces to delete at once. Each has up to 512 KiB. */
const PIECE_BATCH_SIZE = 500

/** Expires plans that nobody approved or declined in time (docs/spec/proposals.md#expiry). */
export const expireProposals = ({ now, write }: TenantRun): Promise<void> => write((db) => sweepProposals(db, now))

/** Removes rate limit windows after an hour, which allows for clock differences. */
export async function sweepWindows({ now, send }: ServiceRun): Promise<void> {
  const oldestMinute = Math.floor(now.epochMilliseconds / 60_000) - 60
  await send([sweepRateWindows(oldestMinute)])
}

/**
 * Removes expired sessions, forgotten browsers, old sign-in attempts, unfinished sign-ins, links and mails, and old
 * account events.
 */
export async function sweepSignIns({ send }: ServiceRun): Promise<void> {
  await send([
    sweepSessions(),
    sweepBrowsers(),
    sweepAttempts(),
    sweepChallenges(),
    sweepPending(),
    sweepAuthenticators(),
    sweepRequests(),
    sweepAccountEvents(),
    sweepAccountLinks(),
    ...sweepCompanyLinks(),
    ...sweepAccountMails(),
  ])
}

/** Removes authorizations revoked 30 days ago, and those that can't be refreshed any more. */
export const sweepAuthorizations = ({ write }: TenantRun): Promise<number> =>
  write(async (db) => {
    const ids = (await db.all<{ id: string }>(deleteOldAuthorizations(db.tenant))).map(({ id }) => id)
    if (ids.length > 0) await db.run(deleteAuthorizations(db.tenant, ids))
    return ids.length
  })

/** Removes expired OAuth records, clients without consent, and keys that no longer sign anything. */
export async function sweepProtocol({ send }: Pick<ServiceRun, 'send'>): Promise<void> {
  while ((await send([sweepRecords(BATCH_SIZE)]))[0] === BATCH_SIZE);
  while ((await send([sweepClients()]))[0] === MAX_REMOVED_AT_ONCE);
  await send([sweepSigningKeys()])
}

/** Removes statuses of unknown messages after 7 days (docs/spec/messages.md#unknown-messages). */
export async function sweepStatuses({ now, send }: ServiceRun): Promise<void> {
  await send([sweepUnknownStatuses(utc(now.subtract({ hours: 7 * 24 })))])
}
