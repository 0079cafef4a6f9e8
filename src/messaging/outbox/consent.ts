import { sql, type Db } from '../../platform/db/tenant.ts'
import { findOptOut } from '../../records/contacts/index.ts'
import { findSuppression } from '../opt_out/suppression.ts'
import { conflictField, type Refusal } from '../../platform/errors/refusal.ts'
import type { RefusalDetail } from '../../platform/errors/refusal_text.ts'
import { ruleForPeople } from '../../platform/i18n/refusal_for_people.ts'
import type { CheckedMessage } from './outgoing.ts'
import { refusals } from './refusals.ts'

type Recipient = Pick<CheckedMessage, 'channel' | 'to' | 'by'>

/**
 * Reason that nothing may be sent to a recipient, with a text for people; `unclear` lasts until a person decides what
 * their answer meant.
 */
type Objection = { reason: 'opted_out' | 'suppressed' | 'unclear'; rule: RefusalDetail; message: string }

/** Returns why this recipient can't be written to now; undefined if they can (docs/spec/outbox.md#consent). */
export async function findObjection(db: Db, { channel, to, by }: Recipient): Promise<Objection | undefined> {
  const [contact, suppression] = await Promise.all([findOptOut(db, channel, to), findSuppression(db, channel, to)])
  if (contact !== undefined)
    return toObjection('opted_out', contact.how === 'answered' ? refusals.stopped() : OPTED_OUT[channel]())
  if (suppression !== undefined)
    return toObjection(suppression.reason === 'unclear' ? 'unclear' : 'suppressed', refusals[suppression.reason]())
  if (by === null && isRobot(to)) return toObjection('suppressed', refusals.robot())
  return undefined
}

/** Throws a refusal if the recipient can't be written to. */
export async function requireConsent(db: Db, recipient: Recipient): Promise<void> {
  const objection = await findObjection(db, recipient)
  if (objection !== undefined) throw refusalOf(objection)
}

const refusalOf = ({ rule }: Objection): Refusal => conflictField('to', rule)

const toObjection = (reason: Objection['reason'], rule: RefusalDetail): Objection => ({
  reason,
  rule,
  message: ruleForPeople(rule, ({ name }) => name),
})

const OPTED_OUT = { email: refusals.noMail, sms: refusals.noTexts }

/** Matches mailboxes of machines; they get no automatic messages (RFC 3834 2). */
const ROBOT =
  /^(?:mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?|auto-?reply|notifications?)(?:[+._-][^@]*)?@/

const isRobot = (address: string): boolean => ROBOT.test(address)

/** Locks a recipient until the transaction ends, so that a double submit runs one after the other. */
export const lockRecipient = (db: Db, { channel, to }: Recipient): Promise<number> =>
  db.run(sql`select pg_advisory_xact_lock(hashtext(${db.tenant}), hashtext(${`${channel} ${to}`}))`)
