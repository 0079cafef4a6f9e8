import { auditChange, type Actor } from '../../identity/audit.ts'
import { requireOwner } from '../../identity/permissions/rights.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { storedTextForPeople } from '../../platform/i18n/refusal_for_people.ts'
import { say } from '../../platform/i18n/say.ts'
import { canSend, type Senders } from '../outbox/senders/senders.ts'
import { wordFor } from '../../records/page/states.ts'
import { money } from '../../records/format/formats.ts'
import { lockSubjectRecord, type SubjectRecord } from '../templates/subject_record.ts'
import { sendAutopayLetter } from './autopay_letters.ts'
import { MESSAGE_AREAS, mailOffice } from './notices.ts'
import { sendAutomaticReceipt } from './receipts.ts'

type NoticeTask = { id: string; kind: string; record_id: string; detail: Detail }
type Detail = {
  amount_cents?: number
  tried_cents?: number | null
  message?: string | null
  reason?: string | null
  day?: string
}

/** Returns the next events that need a notice. */
export const listNoticeTasks = (db: Db, after: string): Promise<NoticeTask[]> =>
  db.all<NoticeTask>(sql`select id, kind, record_id, detail from notice_tasks
    where tenant_id = ${db.tenant} and id > ${after} order by id limit 100`)

/** Sends the notice of one event once: the transaction that queues the mail deletes the task. */
export async function sendNotice(db: Db, { id, kind, record_id, detail }: NoticeTask, senders: Senders): Promise<void> {
  if ((await db.run(sql`delete from notice_tasks where tenant_id = ${db.tenant} and id = ${id}`)) === 0) return
  const settings = await eventMailSettings(db)
  const receipt = { payment: id, invoice: record_id, amount_cents: detail.amount_cents }
  if (kind === 'receipt') return settings.receipts ? sendAutomaticReceipt(db, receipt, senders) : undefined
  if (kind === 'autopay_coming' || kind === 'autopay_failed')
    return sendAutopayLetter(db, kind, record_id, detail.day, senders)
  if (!settings.payment_notices || !(await canSend(db, senders, 'email'))) return
  if (kind === 'message_failed') return mailFailure(db, record_id, senders)
  const record = await lockSubjectRecord(db, 'invoices', record_id)
  await mailOffice(db, ['Invoices'], { kind: 'invoices', id: record_id }, () =>
    moneyLetter(kind, record, detail, `${senders.baseUrl}/${db.tenant}/invoices/${record_id}`),
  )
}

/** Automatic emails after events; on unless an owner turned them off. */
export type EventMail = { receipts: boolean; payment_notices: boolean }

export const eventMailSettings = async (db: Db): Promise<EventMail> =>
  (await db.maybe<EventMail>(
    sql`select receipts, payment_notices from notice_settings where tenant_id = ${db.tenant}`,
  )) ?? { receipts: true, payment_notices: true }

/** Changes which automatic emails go out; owners only. */
export async function setEventMail(db: Db, by: NonNullable<Actor>, settings: EventMail): Promise<void> {
  await requireOwner(db, by)
  const before = await eventMailSettings(db)
  await db.run(sql`insert into notice_settings (tenant_id, quote_answers, receipts, payment_notices)
    values (${db.tenant}, true, ${settings.receipts}, ${settings.payment_notices})
    on conflict (tenant_id) do update set receipts = excluded.receipts, payment_notices = excluded.payment_notices,
      updated_at = later_than(notice_settings.updated_at)`)
  await db.run(
    auditChange(db.tenant, by, 'companies.set_notices', db.tenant, {
      receipts: [before.receipts, settings.receipts],
      payment_notices: [before.payment_notices, settings.payment_notices],
    }),
  )
}

/** Notifies the office that a message to a customer failed. */
async function mailFailure(db: Db, message: string, { baseUrl }: Senders): Promise<void> {
  const failed = await db.maybe<{
    recipient: string
    subject: string | null
    reply: string | null
    name: string | null
  }>(
    sql`select o.recipient, m.subject, o.reply, coalesce(o.recipient_name, c.display_name) as name from outbox o
      join communications m on m.tenant_id = o.tenant_id and m.id = o.id
      left join customers c on c.tenant_id = m.tenant_id and c.id = m.customer_id
      where o.tenant_id = ${db.tenant} and o.id = ${message} and o.state = 'failed'`,
  )
  if (failed === undefined) return
  const { recipient, subject, reply } = failed
  const name = failed.name ?? recipient
  await mailOffice(db, MESSAGE_AREAS, null, () => ({
    subject: say`Your message to ${name} didn’t arrive`,
    body: [
      subject === null
        ? say`Your text to ${recipient} didn’t arrive.`
        : say`Your email “${subject}” to ${recipient} didn’t arrive.`,
      ...(reply === null ? [] : [storedTextForPeople(reply)]),
      say`Open the message: ${`${baseUrl}/${db.tenant}/outbox/${message}`}`,
    ].join('\n\n'),
  }))
}

function moneyLetter(
  kind: string,
  record: SubjectRecord,
  detail: Detail,
  url: string,
): { subject: string; body: string } {
  const [number, name] = [record.number ?? '', record.customer_name]
  const amount = money(detail.amount_cents ?? detail.tried_cents ?? record.total_cents, record.currency)
  const due =
    record.balance_cents > 0
      ? say`${money(record.balance_cents, record.currency)} is still due.`
      : say`The invoice is paid in full.`
  const [subject, sentence] = moneyWords(kind, { number, name, amount, due })
  const reason = detail.message ?? (detail.reason == null ? null : wordFor(detail.reason))
  return { subject, body: [sentence, ...(reason == null ? [] : [reason]), say`Open the invoice: ${url}`].join('\n\n') }
}

type MoneyWords = Readonly<Record<'number' | 'name' | 'amount' | 'due', string>>

function moneyWords(kind: string, { number, name, amount, due }: MoneyWords): [string, string] {
  switch (kind) {
    case 'invoices.payment_received':
      return [
        say`${name} paid ${amount} for invoice ${number}`,
        say`${name} paid ${amount} for invoice ${number}. ${due}`,
      ]
    case 'invoices.payment_failed':
      return [
        say`A payment for invoice ${number} failed`,
        say`A payment by ${name} for invoice ${number} didn’t go through. Nothing was charged.`,
      ]
    case 'invoices.payment_pending':
      return [
        say`${name} is paying invoice ${number} by bank`,
        say`${name} is paying ${amount} by bank. No reminder goes out until the bank decides.`,
      ]
    case 'invoices.payment_refunded':
      return [say`${amount} refunded for invoice ${number}`, say`${amount} was refunded to ${name}. ${due}`]
    case 'invoices.refund_failed':
      return [say`A refund for invoice ${number} failed`, say`The refund of ${amount} to ${name} didn’t go through.`]
    case 'invoices.dispute_opened':
      return [
        say`${name} disputed a payment for invoice ${number}`,
        say`${name} disputed ${amount}. Answer the dispute at your payments provider before its deadline.`,
      ]
    default:
      return [
        say`The dispute about invoice ${number} was decided`,
        say`The dispute of ${name} about invoice ${number} is closed. ${due}`,
      ]
  }
}
