import { isRecord } from '../../platform/validation/is_record.ts'
import { entryOf } from '../../identity/credentials/caller.ts'
import { readTenant } from '../../platform/db/tenant.ts'
import { Refusal, formatRule } from '../../platform/errors/refusal.ts'
import { refusals } from '../../platform/errors/refusals.ts'
import { isId } from '../../platform/validation/id.ts'
import type { ToolCall, ToolContext } from './context.ts'
import { findableByName, findableOf, type Findable } from '../declare/finders.ts'

/**
 * Returns a refusal. If its record left its list, the refusal says so to callers who may read the list
 * (docs/spec/interface.md#error-format).
 */
export async function explainNotFound({ database }: ToolContext, call: ToolCall, refusal: Refusal): Promise<Refusal> {
  const findable = findableByName(refusal.missingRecord)
  const { explainAbsence } = findable ?? {}
  if (findable === undefined || explainAbsence === undefined || !call.caller.scopes.has(findable.scope)) return refusal
  const id = idOf(call, findable)
  const entry = { ...entryOf(call.caller), options: { ...call.deadline } }
  const absence = id === undefined ? undefined : await readTenant(database, entry, (db) => explainAbsence(db, id))
  return absence === undefined
    ? refusal
    : new Refusal(
        refusal.code,
        [
          {
            path: '',
            rule: refusals.absent({ what: findable.singular.replaceAll('_', ' ') }),
            note: formatRule`: it ${absence}; find another with ${findable.finder}`,
          },
        ],
        refusal.missingRecord,
      )
}

/** Returns the id of such a record in the call's input. */
function idOf({ listed, input }: Pick<ToolCall, 'listed' | 'input'>, findable: Findable): string | undefined {
  const fields = isRecord(input) ? input : {}
  const name = Object.keys(fields).find((field) =>
    field === 'id' ? listed.entity.singular === findable.singular : findableOf(field, fields) === findable,
  )
  const id = name === undefined ? undefined : fields[name]
  return typeof id === 'string' && isId(id.trim().toLowerCase()) ? id.trim().toLowerCase() : undefined
}
