import { isDeepStrictEqual } from 'node:util'
import { readTenant, sql, writeTenant, type Database, type Db } from '../../platform/db/tenant.ts'
import { invalidField } from '../../platform/errors/refusal.ts'
import { auditChange, type Actor } from '../audit.ts'
import { requireOwner } from '../permissions/rights.ts'
import { refusals } from './refusals.ts'

/** Company's rules for writes by keys and apps (docs/spec/proposals.md#what-waits). */
type ApprovalRules = {
  /** True when every remove, void or end by a connection waits for approval. */
  destructive_proposes: boolean
  /** Destructive writes in ten minutes after which a connection is held; 0: no limit. */
  burst_limit: number
  /** True when the limit also applies to API keys that propose nothing. */
  burst_limits_keys: boolean
  /** Write scopes under which every connection only proposes. */
  all_propose: string[]
  /** True when write-offs and voided invoices wait. */
  write_offs_propose: boolean
  /** Amount above which a document waits, in cents; null: none does. */
  proposes_above_cents: number | null
}

const RULE_NAMES = [
  'destructive_proposes',
  'burst_limit',
  'burst_limits_keys',
  'all_propose',
  'write_offs_propose',
  'proposes_above_cents',
] as const

export const findApprovalRules = (database: Database, tenant: string): Promise<ApprovalRules> =>
  readTenant(database, { tenant }, rulesOf)

/** Sets the rules. They apply from the next request of every connection. */
export async function setApprovalRules(
  database: Database,
  tenant: string,
  input: Partial<Omit<ApprovalRules, 'burst_limit'>> & { burst_limit: string },
  by: Actor,
): Promise<void> {
  await writeTenant(
    database,
    { tenant },
    async (db) => {
      await requireOwner(db, by)
      const before = await rulesOf(db)
      const after = { ...before, ...input, burst_limit: parseBurstLimit(input.burst_limit) }
      await db.run(sql`update tenants
        set destructive_proposes = ${after.destructive_proposes}, burst_limit = ${after.burst_limit},
          burst_limits_keys = ${after.burst_limits_keys}, all_propose = ${after.all_propose},
          write_offs_propose = ${after.write_offs_propose}, proposes_above_cents = ${after.proposes_above_cents}
        where id = ${db.tenant}`)
      return { before, after }
    },
    ({ before, after }) => [
      auditChange(
        tenant,
        by,
        'companies.set_approval',
        tenant,
        Object.fromEntries(
          RULE_NAMES.filter((name) => !isDeepStrictEqual(before[name], after[name])).map((name) => [
            name,
            [before[name], after[name]] as const,
          ]),
        ),
      ),
    ],
  )
}

const rulesOf = (db: Db): Promise<ApprovalRules> =>
  db.present<ApprovalRules>(
    sql`select destructive_proposes, burst_limit, burst_limits_keys, all_propose, write_offs_propose,
        proposes_above_cents
      from tenants where id = ${db.tenant}`,
    'company',
  )

const MAX_LIMIT = 1_000

function parseBurstLimit(text: string): number {
  const limit = Number(text.trim())
  if (!/^\d{1,4}$/.test(text.trim()) || limit > MAX_LIMIT)
    throw invalidField(
      'burst_limit',
      refusals.wholeNumber({ field: 'burst_limit', min: 0, max: MAX_LIMIT, given: text.slice(0, 60) }),
    )
  return limit
}

const MAX_AMOUNT = 999_999_999

/** Parses the amount above which documents wait, in minor units; null if empty. */
export function parseLimitAmount(text: string, currency: string): number | null {
  const entered = text.replace(/[\s$,]/g, '')
  if (entered === '') return null
  const digits =
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  const [, whole = '', part = ''] = /^(\d+)(?:\.(\d+))?$/.exec(entered) ?? []
  if (whole === '' || Number(whole) > MAX_AMOUNT || part.length > digits)
    throw invalidField('proposes_above', refusals.amount({ given: text.slice(0, 60) }))
  return Number(whole + part.padEnd(digits, '0'))
}
