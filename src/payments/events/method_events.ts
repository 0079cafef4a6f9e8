import { sql, type Db } from '../../platform/db/tenant.ts'
import { toFields } from '../../platform/validation/json_fields.ts'
import { isId } from '../../platform/validation/id.ts'
import { SAVED_PAYMENTS_TASK } from '../saved/saved_method.ts'
import { toDetails } from '../saved/saved_payments_api.ts'
import { applyMethodReport } from '../saved/setup.ts'
import { parseCode, parseId, readEvent } from './event_object.ts'

/** Event types about saved cards and bank accounts. An account also has methods that aren't ours. */
export const METHOD_TYPES: readonly string[] = [
  'setup_intent.succeeded',
  'setup_intent.setup_failed',
  'payment_method.detached',
  'payment_method.updated',
  'payment_method.automatically_updated',
]

/**
 * Applies the provider's report of a saved method: its removal or new details. The end of a setup only triggers a query
 * to the provider. Returns true if the event concerned a method of ours.
 */
export async function applyMethodEvent(db: Db, raw: Buffer): Promise<boolean> {
  const { type, object } = readEvent(raw)
  if (type.startsWith('setup_intent.')) return wakeSetup(db, toFields(object['metadata'])['payment_method_id'])
  const method = parseCode(object['id'])
  if (method === undefined) return false
  const details = toDetails(parseId(object['customer']) ?? '', method, object)
  return applyMethodReport(db, { method, is_gone: type === 'payment_method.detached', details })
}

async function wakeSetup(db: Db, value: unknown): Promise<boolean> {
  const id = parseCode(value)
  if (id === undefined || !isId(id)) return false
  const open = await db.maybe(
    sql`select from payment_methods where tenant_id = ${db.tenant} and id = ${id} and state in ('starting', 'open')`,
  )
  if (open === undefined) return false
  await db.run(sql`select ask_chore(${db.tenant}, ${SAVED_PAYMENTS_TASK})`)
  return true
}
