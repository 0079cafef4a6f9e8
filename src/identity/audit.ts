import { sql, type Sql } from '../platform/db/tenant.ts'
import { newId } from '../platform/validation/id.ts'
import { textBefore } from '../platform/validation/text/before.ts'

/** Actor behind a change of access: a user, or null for the operator at the command line. */
export type Actor = { user: string } | null

/** Map from a field to its value before and after. */
type Changes = Record<string, readonly [before: unknown, after: unknown]>

type AuditAction =
  | 'companies.set'
  | 'companies.set_message'
  | 'companies.set_reminders'
  | 'companies.set_notices'
  | 'companies.set_booking'
  | 'companies.send_statements'
  | 'companies.set_payments'
  | 'companies.connect_books'
  | 'companies.set_books'
  | 'companies.disconnect_books'
  | 'companies.list_app'
  | 'companies.unlist_app'
  | 'customers.set_equipment'
  | 'customers.remove_equipment'
  | 'customers.stop_reminders'
  | 'customers.resume_reminders'
  | 'customers.save_payment_method'
  | 'customers.remove_payment_method'
  | 'customers.start_autopay'
  | 'customers.stop_autopay'
  | 'customers.erase'
  | 'members.erase'
  | 'companies.export'
  | 'customers.export'
  | 'members.export'
  | 'members.add'
  | 'members.set'
  | 'members.set_provider'
  | 'members.set_rate'
  | 'members.unlink_account'
  | 'members.remove'
  | 'members.invite'
  | 'members.uninvite'
  | 'members.mail_invitation'
  | 'members.disconnect'
  | 'members.reset_link'
  | 'members.reset_factors'
  | 'members.sign_out'
  | 'keys.create'
  | 'keys.revoke'
  | 'keys.set'
  | 'keys.release'
  | 'grants.approve'
  | 'grants.narrow'
  | 'companies.set_approval'
  | 'grants.withdraw'
  | 'grants.ask'
  | 'grants.permit'
  | 'grants.decline'
  | 'days_off.enter'
  | 'skills.set'
  | 'clients.create'
  | 'clients.remove'
  | 'checklists.create'
  | 'checklists.set'
  | 'checklists.archive'
  | 'ledger.export'
  | 'ledger.take_back'
  | 'jobs.check'
  | 'jobs.add_checklist'
  | 'jobs.leave_out_checklist'
  | 'jobs.finish_anyway'
  | 'jobs.start_time'
  | 'jobs.pause_time'
  | 'jobs.end_time'
  | 'jobs.correct_time'
  | 'jobs.sign'

/** Acts that owners read in their security log: access granted, access revoked, and changes of the access rules. */
export type AccessAction =
  | Extract<AuditAction, `members.${string}` | `keys.${string}` | `grants.${string}` | `clients.${string}`>
  | (typeof RULE_ACTIONS)[number]

/** Acts that change the company's access rules. `companies.set` changes other settings too. */
export const RULE_ACTIONS = [
  'companies.set',
  'companies.list_app',
  'companies.unlist_app',
  'companies.set_approval',
] as const satisfies readonly AuditAction[]

/**
 * Returns the audit row of an act outside the tools: a change of access or settings, or a record from the field.
 * `record` is the subject's ID; for a grant, its user.
 */
export const auditChange = (
  tenant: string,
  by: Actor,
  action: AuditAction,
  record: string,
  changes: Changes,
): Sql => sql`
  insert into audit (tenant_id, id, user_id, tool, record_type, record_id, changed)
  values (${tenant}, ${newId()}, ${by?.user ?? null}, ${action}, ${RECORD_TYPES[textBefore(action, '.')]}, ${record},
    ${JSON.stringify(changes)})`

const RECORD_TYPES: Readonly<Record<string, string>> = {
  companies: 'company',
  customers: 'customer',
  members: 'member',
  days_off: 'days_off',
  skills: 'skills',
  keys: 'key',
  grants: 'grant',
  clients: 'client',
  checklists: 'checklist_template',
  jobs: 'job',
  ledger: 'ledger_batch',
}
