import { sql, type Db } from '../../platform/db/tenant.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { languageOf } from '../../platform/i18n/reader.ts'
import { newId } from '../../platform/validation/id.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import { statementOf, type DayRange, type Statement } from '../../records/invoices/index.ts'
import { findObjection } from '../outbox/consent.ts'
import { queueDraft } from '../templates/queue_draft.ts'
import { listRecipients, type Recipient } from '../templates/recipients.ts'
import type { SubjectRecord } from '../templates/subject_record.ts'
import { findMessageTemplate } from '../templates/templates.ts'
import type { SkipReason } from './run.ts'

/** Statement waiting to be emailed. */
type DueStatement = DayRange & { id: string; customer_id: string; created_by: string }

/** Returns the next waiting statements. */
export const listDueStatements = (db: Db, after: string): Promise<DueStatement[]> =>
  db.all<DueStatement>(sql`select s.id, s.customer_id, s.from_day as "from", s.to_day as "to", r.created_by
    from statement_sendings s join statement_runs r on r.tenant_id = s.tenant_id and r.id = s.run_id
    where s.tenant_id = ${db.tenant} and s.state = 'waiting' and s.id > ${after} order by s.id limit 100`)

/**
 * Emails one statement of a run. The transaction that queues the mail also marks it sent, so it goes out exactly once.
 * Skips customers who owe nothing by now or already got the same statement.
 */
export async function sendDueStatement(db: Db, due: DueStatement, baseUrl: string): Promise<void> {
  const waits = await db.maybe(sql`select id from statement_sendings
    where tenant_id = ${db.tenant} and id = ${due.id} and state = 'waiting' for no key update`)
  if (waits === undefined) return
  const { customer_id, from, to } = due
  const earlier = await db.maybe(sql`select from statement_sendings where tenant_id = ${db.tenant}
    and customer_id = ${customer_id} and from_day = ${from} and to_day = ${to} and state = 'sent' limit 1`)
  if (earlier !== undefined) return skip(db, due, 'already_sent')
  const subject = await findStatementSubject(db, customer_id, { from, to })
  if (subject.is_archived) return skip(db, due, 'archived')
  if (subject.balance_cents <= 0) return skip(db, due, 'nothing_owed')
  const people = (await listRecipients(db, subject, 'email')).slice(0, MAX_TRIED)
  if (people.length === 0) return skip(db, due, 'no_address')
  const recipient = await findReachable(db, people)
  if (recipient === undefined) return skip(db, due, 'opted_out')
  try {
    const message = await queueStatement(db, { sending: due.id, subject, to: recipient, by: due.created_by, baseUrl })
    await settle(db, due.id, sql`state = 'sent', message_id = ${message}`)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await skip(db, due, 'opted_out')
  }
}

const MAX_TRIED = 5

type StatementRequest = DayRange & { customer: string; address: string; by: string; baseUrl: string }

/** Emails one customer's statement now, to an address its sender chose. */
export async function mailStatement(
  db: Db,
  { customer, from, to, address, by, baseUrl }: StatementRequest,
): Promise<void> {
  const subject = await findStatementSubject(db, customer, { from, to })
  const listed = (await listRecipients(db, subject, 'email')).find((one) => one.address === address)
  const recipient = listed ?? { address, name: subject.customer_name, firstName: subject.first_name }
  const sending = newId()
  const message = await queueStatement(db, { sending, subject, to: recipient, by, baseUrl })
  await db.run(sql`insert into statement_sendings
      (tenant_id, id, customer_id, from_day, to_day, state, message_id, settled_at)
    values (${db.tenant}, ${sending}, ${customer}, ${from}, ${to}, 'sent', ${message}, moment())`)
}

/** Returns the customer and the current content of an emailed statement. */
export async function findSentStatement(db: Db, sending: string): Promise<{ customer: string; statement: Statement }> {
  const { customer_id, from, to } = await db.present<DayRange & { customer_id: string }>(
    sql`select customer_id, from_day as "from", to_day as "to" from statement_sendings
      where tenant_id = ${db.tenant} and id = ${sending}`,
    'statement',
  )
  return { customer: customer_id, statement: await readStatement(db, customer_id, { from, to }) }
}

async function readStatement(db: Db, customer: string, range: DayRange): Promise<Statement> {
  const { timezone } = await db.one<{ timezone: string }>(sql`select timezone from tenants where id = ${db.tenant}`)
  return statementOf(db, { customer, range, today: todayIn(timezone).toString(), timezone })
}

/** Returns the account data that a statement email uses. */
async function findStatementSubject(db: Db, customer: string, range: DayRange): Promise<SubjectRecord> {
  const { sums } = await readStatement(db, customer, range)
  const row = await db.present<CustomerRow>(
    sql`select c.display_name as customer_name, c.first_name, c.preferred_language as language, c.updated_at,
        c.archived_at is not null as is_archived, t.name, t.timezone, t.country, t.currency
      from customers c join tenants t on t.id = c.tenant_id where c.tenant_id = ${db.tenant} and c.id = ${customer}`,
    'customer',
  )
  const { name, timezone, country, ...own } = row
  return {
    ...own,
    topic: 'customers',
    id: customer,
    customer_id: customer,
    number: null,
    work: null,
    status: 'sent',
    owner_id: null,
    contact_id: null,
    address: null,
    total_cents: 0,
    paid_cents: 0,
    balance_cents: sums.end_cents,
    day: range.to,
    starts_at: null,
    all_day: false,
    window_minutes: 0,
    crew: [],
    company: { name, timezone, country },
  }
}

type CustomerRow = Pick<
  SubjectRecord,
  'customer_name' | 'first_name' | 'language' | 'updated_at' | 'is_archived' | 'currency'
> &
  SubjectRecord['company']

type Addressee = Pick<Recipient, 'address' | 'name' | 'firstName'>

async function findReachable(db: Db, people: readonly Addressee[]): Promise<Addressee | undefined> {
  for (const one of people)
    if ((await findObjection(db, { channel: 'email', to: one.address, by: null })) === undefined) return one
  return undefined
}

type StatementMail = { sending: string; subject: SubjectRecord; to: Addressee; by: string; baseUrl: string }

async function queueStatement(db: Db, { sending, subject, to, by, baseUrl }: StatementMail): Promise<string> {
  const template = await findMessageTemplate(db, {
    kind: 'statement',
    channel: 'email',
    language: languageOf(subject.language),
  })
  const { id } = await queueDraft(
    db,
    subject,
    {
      kind: 'statement',
      channel: 'email',
      to: to.address,
      toName: to.name,
      firstName: to.firstName,
      subject: template.subject ?? '',
      body: template.body,
      hasPdf: true,
      attachment: { document: 'statements', id: sending },
    },
    { baseUrl, cause: 'sent', by },
  )
  return id
}

const settle = (db: Db, id: string, change: ReturnType<typeof sql>): Promise<number> =>
  db.run(sql`update statement_sendings set ${change}, settled_at = moment()
    where tenant_id = ${db.tenant} and id = ${id}`)

const skip = async (db: Db, { id }: DueStatement, reason: SkipReason): Promise<void> =>
  void (await settle(db, id, sql`state = 'skipped', reason = ${reason}`))
