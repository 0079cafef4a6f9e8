import { screens } from '../../entities/screens.ts'
import { customerNameIn, nameIn } from '../../screens/result_names.ts'
import { saidChanges } from '../../screens/said_changes.ts'
import { isFailed, type ToolAnswer } from '../../tools/call.ts'
import type { ToolCall } from '../../tools/context.ts'
import { changesSeen } from '../../tools/history.ts'
import { shownText } from '../hidden.ts'
import type { Fields } from '../jsonrpc.ts'

/** Names what a card is handed of a call that waits, in the `_meta` of its result, which models don't read. */
export const WAITS_META = 'callout/approval'

/** Is the most fields that a card shows; the page shows all. */
const MAX_ROWS = 20

/** Returns what a call that waits would do, in words, for its card; undefined of any other answer. */
export function approvalMeta(answer: ToolAnswer, { listed, caller }: ToolCall): Fields | undefined {
  if (!isFailed(answer) || !('refusal' in answer) || answer.waits === undefined) return undefined
  const { entity, tool } = listed
  const { url, position, would } = answer.waits
  const { total_cents: total, warnings = [] } = would.result as { total_cents?: unknown; warnings?: readonly string[] }
  const screen = screens.find((one) => one.entity.name === entity.name)!
  const [first, ...also] = would.written
  const changes = first === undefined ? {} : changesSeen(first.changes, caller)
  const rows = saidChanges(screen, { changes }, caller.tenant, tool.verb === 'create')
  return {
    [WAITS_META]: {
      url,
      position,
      title: tool.title,
      name: shown(nameIn(would.result)),
      customer: shown(customerNameIn(entity.name, would.result)),
      is_new: tool.verb === 'create',
      rows: rows
        .slice(0, MAX_ROWS)
        .map(({ label, before, after }) => ({ label, before: shownText(before), after: shownText(after) })),
      more: Math.max(0, rows.length - MAX_ROWS),
      also: also.length,
      total_cents: typeof total === 'number' ? total : null,
      currency: caller.tenant.currency,
      warnings,
    },
  }
}

const shown = (name: string | undefined): string | null => (name === undefined ? null : shownText(name))
