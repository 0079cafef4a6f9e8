import { screens } from '../../records/screens.ts'
import { customerNameIn, nameIn } from '../../records/page/result_names.ts'
import { describeChanges, type FieldChange } from '../../records/history/field_changes.ts'
import { wordFor } from '../../records/page/states.ts'
import { isFailed, type ToolAnswer } from '../../tools/call/call.ts'
import type { ToolCall } from '../../tools/call/context.ts'
import type { Caller } from '../../identity/credentials/caller.ts'
import { visibleChanges } from '../../tools/call/history.ts'
import type { WrittenRecord } from '../../tools/call/outcome.ts'
import { visibleText } from '../protocol/hidden_characters.ts'
import type { Fields } from '../protocol/jsonrpc.ts'
import { requireValue } from '../../platform/errors/require_value.ts'

/** Names what a card is handed of a call that waits, in the `_meta` of its result, which models don't read. */
const WAITS_META = 'callout/approval'

/** Maximum number of fields on a card; the page shows all. */
const MAX_ROWS = 20

/** Maximum number of further records that a card shows. */
const MAX_OTHERS = 20

/** Returns what a call that waits would do, in words, for its card; undefined of any other answer. */
export function approvalMeta(answer: ToolAnswer, { listed, caller }: ToolCall): Fields | undefined {
  if (!isFailed(answer) || !('refusal' in answer) || answer.waits === undefined) return undefined
  const { entity, tool } = listed
  const { url, position, would } = answer.waits
  const { total_cents: total, warnings = [] } = would.result as { total_cents?: unknown; warnings?: readonly string[] }
  const screen = requireValue(
    screens.find((one) => one.entity.name === entity.name),
    'The pages of an entity',
  )
  const [first, ...also] = would.written
  const changes = first === undefined ? {} : visibleChanges(first.changes, caller)
  const rows = describeChanges(screen, { changes }, caller.tenant, tool.verb === 'create')
  return {
    [WAITS_META]: {
      url,
      position,
      title: tool.title,
      name: visibleName(nameIn(would.result)),
      customer: visibleName(customerNameIn(entity.name, would.result)),
      is_new: tool.verb === 'create',
      rows: rows.slice(0, MAX_ROWS).map(toVisibleRow),
      more: Math.max(0, rows.length - MAX_ROWS),
      others: also.slice(0, MAX_OTHERS).map((other) => othersRows(other, caller)),
      more_others: Math.max(0, also.length - MAX_OTHERS),
      total_cents: typeof total === 'number' ? total : null,
      currency: caller.tenant.currency,
      warnings,
    },
  }
}

/** Returns a record that is written with the one of the call, such as a contact of a new customer. */
function othersRows({ type = '', changes }: WrittenRecord, caller: Caller): { kind: string; rows: FieldChange[] } {
  const screen = screens.find(({ entity }) => entity.singular === type) ?? { fields: [] }
  const rows = describeChanges(screen, { changes: visibleChanges(changes, caller) }, caller.tenant, true)
  return { kind: wordFor(type), rows: rows.slice(0, MAX_ROWS).map(toVisibleRow) }
}

const toVisibleRow = ({ label, before, after }: FieldChange): FieldChange => ({
  label,
  before: visibleText(before),
  after: visibleText(after),
})

const visibleName = (name: string | undefined): string | null => (name === undefined ? null : visibleText(name))
