import { sql, type Db } from '../../platform/db/tenant.ts'
import { whoRefuses } from '../../records/contacts/index.ts'
import { findSuppression } from '../opt_out/suppression.ts'
import { conflictField, type Refusal } from '../../platform/errors/refusal.ts'
import type { CheckedMessage } from './outgoing.ts'

type Recipient = Pick<CheckedMessage, 'channel' | 'to' | 'by'>

/** Says why nothing may be sent to somebody; `unclear`: not until a person has decided what their answer meant. */
export type Objection = { reason: 'opted_out' | 'suppressed' | 'unclear'; words: string }

/** Returns why this recipient may not be written to now; undefined when they may (docs/spec/outbox.md#consent). */
export async function findObjection(db: Db, { channel, to, by }: Recipient): Promise<Objection | undefined> {
  const [contact, suppression] = await Promise.all([whoRefuses(db, channel, to), findSuppression(db, channel, to)])
  if (contact !== undefined)
    return { reason: 'opted_out', words: contact.how === 'answered' ? STOPPED : OPTED_OUT[channel] }
  if (suppression !== undefined)
    return {
      reason: suppression.reason === 'unclear' ? 'unclear' : 'suppressed',
      words: SUPPRESSED[suppression.reason],
    }
  if (by === null && isRobot(to)) return { reason: 'suppressed', words: 'is a mailbox that no person reads' }
  return undefined
}

/** Throws the objection as a refusal of the recipient. */
export async function requireConsent(db: Db, recipient: Recipient): Promise<void> {
  const objection = await findObjection(db, recipient)
  if (objection !== undefined) throw refusalOf(objection)
}

const refusalOf = ({ words }: Objection): Refusal => conflictField('to', words)

const STOPPED = 'asked for no more texts; they can answer START to allow them again'
const OPTED_OUT = { email: 'belongs to a contact who wants no e-mail', sms: 'belongs to a contact who wants no texts' }
const SUPPRESSED = {
  bounced: 'is an address that mail came back from; remove it from the suppressed addresses under Outbox to try again',
  complained: 'is an address whose owner reported our mail as unwanted',
  stopped: STOPPED,
  unclear: 'may have asked for no more texts; read their last message and decide on the Messages page',
}

/** Matches mailboxes of machines, which nothing that goes by itself is sent to (RFC 3834 2). */
const ROBOT =
  /^(?:mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?|auto-?reply|notifications?)(?:[+._-][^@]*)?@/

const isRobot = (address: string): boolean => ROBOT.test(address)

/** Locks a recipient until the transaction ends, so that two presses of one button come one after the other. */
export const lockRecipient = (db: Db, { channel, to }: Recipient): Promise<number> =>
  db.run(sql`select pg_advisory_xact_lock(hashtext(${db.tenant}), hashtext(${`${channel} ${to}`}))`)
