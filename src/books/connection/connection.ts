import { auditChange } from '../../identity/audit.ts'
import type { DataKeys } from '../../identity/data_keys.ts'
import { requireOwner } from '../../identity/permissions/rights.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import type { BooksKey } from '../documents/sources.ts'
import { conflict, invalidField, notFound } from '../../platform/errors/refusal.ts'
import type { AccountMap, BookAccount, Organization, ProgramAccount, ProgramName } from '../program.ts'
import { refusals } from '../refusals.ts'
import type { BooksTokens } from './oauth.ts'
import { sealTokens } from './tokens.ts'

/** Name of the task that sends to accounting programs. */
export const BOOKS_TASK = 'books'

/** A company's connection to its accounting program, without its tokens. */
export type BooksConnection = {
  program: ProgramName
  organization: string | null
  organization_name: string | null
  organization_country: string | null
  accounts: AccountMap | null
  from_day: string | null
  started_at: string | null
  paused_at: string | null
  revoked_at: string | null
  wait_until: string | null
}

/** Columns of a connection. Accounts chosen before tips were sent have none for tips. */
const COLUMNS = sql`program, organization, organization_name, organization_country,
  '{"tips": ""}'::jsonb || accounts as accounts, from_day, started_at,
  paused_at, revoked_at, wait_until`

export const findConnection = (db: Db): Promise<BooksConnection | undefined> =>
  db.maybe<BooksConnection>(sql`select ${COLUMNS} from books_connections where tenant_id = ${db.tenant}`)

/** Checks whether the sync to a company is started, and neither paused nor revoked. */
export const isRunning = async (db: Db, { program, organization }: BooksKey): Promise<boolean> =>
  (await db.maybe(sql`select from books_connections where tenant_id = ${db.tenant} and program = ${program}
    and organization = ${organization} and started_at is not null and paused_at is null
    and revoked_at is null`)) !== undefined

const requireConnection = async (db: Db, by: { user: string }): Promise<BooksConnection> => {
  await requireOwner(db, by)
  return db.present<BooksConnection>(
    sql`select ${COLUMNS} from books_connections where tenant_id = ${db.tenant} for update`,
    'connection',
  )
}

/**
 * Saves an access granted to an owner. The same program resumes where it stopped; another one starts from scratch, once
 * the first is disconnected.
 */
export async function saveConnection(
  db: Db,
  keys: DataKeys,
  { program, tokens, organization }: { program: ProgramName; tokens: BooksTokens; organization: string | null },
  by: { user: string },
): Promise<void> {
  await requireOwner(db, by)
  const before = await findConnection(db)
  if (before !== undefined && before.program !== program) throw conflict(refusals.otherProgram())
  if (before?.organization != null && organization !== null && before.organization !== organization)
    throw conflict(refusals.otherOrganization())
  await db.run(sql`insert into books_connections as c (tenant_id, program, organization, tokens, connected_by)
    values (${db.tenant}, ${program}, ${organization}, ${sealTokens(keys, db.tenant, tokens)}, ${by.user})
    on conflict (tenant_id) do update set tokens = excluded.tokens, tokens_version = c.tokens_version + 1,
      organization = coalesce(c.organization, excluded.organization), renewing_until = null, revoked_at = null,
      wait_until = null, connected_by = excluded.connected_by`)
  await db.run(auditChange(db.tenant, by, 'companies.connect_books', db.tenant, { program: [null, program] }))
  await wakeBooks(db)
}

/** Chooses the company at the program, or updates its name and country. Its currency must be ours. */
export async function chooseOrganization(
  db: Db,
  { id, name, country, currency }: Organization,
  companyCurrency: string,
  by: { user: string },
): Promise<void> {
  const before = await requireConnection(db, by)
  if (before.organization !== null && before.organization !== id) throw conflict(refusals.otherOrganization())
  if (currency !== companyCurrency) throw conflict(refusals.otherCurrency({ theirs: currency, ours: companyCurrency }))
  await db.run(sql`update books_connections set organization = ${id}, organization_name = ${name.slice(0, 200)},
    organization_country = ${country.slice(0, 60)} where tenant_id = ${db.tenant}`)
}

/** Settings that an owner chooses before the start. */
type BooksSettings = { accounts: AccountMap; from_day: string }

/** Reads the accounts that an owner chose. Throws if the program doesn't offer one for its use. */
export function readAccounts(
  chosen: (account: string) => string | undefined,
  offered: readonly ProgramAccount[],
): AccountMap {
  const read = (use: BookAccount): string => {
    if (use === 'tips' && (chosen(use) ?? '') === '') return ''
    const account = offered.find(({ id, uses }) => id === chosen(use) && uses.includes(use))
    if (account === undefined) throw invalidField(use, refusals.noAccount())
    return account.id
  }
  return {
    income: read('income'),
    tax: read('tax'),
    deposits: read('deposits'),
    undeposited: read('undeposited'),
    clearing: read('clearing'),
    bad_debts: read('bad_debts'),
    tips: read('tips'),
  }
}

export async function saveBooksSettings(db: Db, settings: BooksSettings, by: { user: string }): Promise<void> {
  const before = await requireConnection(db, by)
  if (before.started_at !== null && before.from_day !== settings.from_day) throw conflict(refusals.started())
  await db.run(sql`update books_connections set accounts = ${JSON.stringify(settings.accounts)},
    from_day = ${settings.from_day} where tenant_id = ${db.tenant}`)
  const changes = { from_day: [before.from_day, settings.from_day] as const }
  await db.run(auditChange(db.tenant, by, 'companies.set_books', db.tenant, changes))
}

/** Starts, resumes or pauses the sync. */
export async function setRunning(db: Db, change: 'start' | 'resume' | 'pause', by: { user: string }): Promise<void> {
  const before = await requireConnection(db, by)
  const isRunning = change !== 'pause'
  if (change === 'resume' && before.started_at === null) throw conflict(refusals.notTried())
  if (before.organization === null || before.accounts === null || before.from_day === null)
    throw conflict(refusals.notReady())
  await db.run(
    isRunning
      ? sql`update books_connections set started_at = coalesce(started_at, moment_of(tenant_id)), paused_at = null
          where tenant_id = ${db.tenant}`
      : sql`update books_connections set paused_at = moment_of(tenant_id) where tenant_id = ${db.tenant}`,
  )
  const was = before.started_at !== null && before.paused_at === null
  await db.run(auditChange(db.tenant, by, 'companies.set_books', db.tenant, { running: [was, isRunning] }))
  if (isRunning) await wakeBooks(db)
}

/** Removes a connection and returns its sealed tokens, to revoke the access at the program. Sent records stay. */
export async function removeConnection(
  db: Db,
  by: { user: string },
): Promise<{ program: ProgramName; tokens: Buffer }> {
  const { program } = await requireConnection(db, by)
  const row = await db.one<{ tokens: Buffer }>(sql`select tokens from books_connections where tenant_id = ${db.tenant}`)
  await db.run(sql`delete from books_connections where tenant_id = ${db.tenant}`)
  await db.run(auditChange(db.tenant, by, 'companies.disconnect_books', db.tenant, { program: [program, null] }))
  return { program, tokens: row.tokens }
}

/** Retries a held or failed record, or all of them (null). */
export async function retryRecords(
  db: Db,
  record: { kind: string; id: string } | null,
  by: { user: string },
): Promise<void> {
  const { program, organization } = await requireConnection(db, by)
  const one = record === null ? sql`` : sql`and kind = ${record.kind} and record = ${record.id}`
  const count = await db.run(sql`update books_records set state = 'due', attempts = 0, version = 0
    where tenant_id = ${db.tenant} and program = ${program} and organization = ${organization}
      and state in ('held', 'failed') ${one}`)
  if (record !== null && count === 0) throw notFound('record')
  await wakeBooks(db)
}

/** Saves the time until which the program asks to wait. */
export const waitForProgram = async (db: Db, until: Temporal.Instant): Promise<void> => {
  await db.run(sql`update books_connections set wait_until = ${until.toString()} where tenant_id = ${db.tenant}`)
  await db.run(sql`select ask_chore_by(${db.tenant}, ${BOOKS_TASK}, ${until.toString()}::timestamptz)`)
}

export const wakeBooks = (db: Db): Promise<number> => db.run(sql`select ask_chore(${db.tenant}, ${BOOKS_TASK})`)
