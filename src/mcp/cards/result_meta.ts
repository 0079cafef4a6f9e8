import { changesTable } from '../../records/history/changes_table.ts'
import { describeChanges, type FieldChange } from '../../records/history/field_changes.ts'
import { money } from '../../records/format/formats.ts'
import { customerNameIn, nameIn, resultCard } from '../../records/page/result_card.ts'
import { wordFor } from '../../records/page/states.ts'
import { screens } from '../../records/screens.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { status } from '../../platform/html/parts/status.ts'
import { withReader } from '../../platform/i18n/reader.ts'
import { isFailed, type ToolAnswer } from '../../tools/call/call.ts'
import type { PendingCall, ToolCall } from '../../tools/call/context.ts'
import type { Caller } from '../../identity/credentials/caller.ts'
import { visibleChanges } from '../../tools/call/history.ts'
import type { WrittenRecord } from '../../tools/call/outcome.ts'
import { visibleText } from '../protocol/hidden_characters.ts'
import type { Fields } from '../protocol/jsonrpc.ts'
import { requireValue } from '../../platform/errors/require_value.ts'

/** Keys in a result's `_meta`: the plan that the call waits in, and the HTML of the card. Models read neither. */
const APPROVAL_META = 'callout/approval'
const CARD_META = 'callout/card'

/** Maximum number of fields on a card; the page shows all. */
const MAX_ROWS = 20

/** Maximum number of further records on a card. */
const MAX_OTHERS = 20

/** Returns `_meta` with the card of an answer, as HTML in English; undefined if the answer has no card. */
export function cardMeta(answer: ToolAnswer, call: ToolCall): Fields | undefined {
  const { tenant } = call.caller
  return withReader({ language: 'en', country: tenant.country }, () => {
    if (!isFailed(answer)) {
      const card = resultCard(call.listed.wire, answer.result, tenant) ?? doneCard(answer.result, call)
      return card && { [CARD_META]: `${card}${warningsHtml(answer.result)}` }
    }
    if (!('refusal' in answer) || answer.pending === undefined) return undefined
    const { url, position } = answer.pending
    return { [APPROVAL_META]: { url, position }, [CARD_META]: String(approvalCard(answer.pending, call)) }
  })
}

/** Draws a completed change. Returns undefined for a read. */
function doneCard(result: Readonly<Record<string, unknown>>, { listed: { tool } }: ToolCall): Html | undefined {
  const name = nameIn(result)
  return tool.reads
    ? undefined
    : html`<div class="card-head"><b>Done</b></div><p>${name === undefined ? '' : visibleText(name)}</p>`
}

/** Draws the effect of a call that waits. A person decides on its page, never on the card. */
function approvalCard({ url, effect }: PendingCall, { listed: { entity, tool }, caller }: ToolCall): Html {
  const { total_cents: total } = effect.result
  const screen = requireValue(
    screens.find((one) => one.entity.name === entity.name),
    'The pages of an entity',
  )
  const [first, ...others] = effect.written
  const changes = first === undefined ? {} : visibleChanges(first.changes, caller)
  const rows = describeChanges(screen, { changes }, caller.tenant, tool.verb === 'create')
  const names = new Set([nameIn(effect.result), customerNameIn(entity.name, effect.result)])
  return html`
<div class="card-head"><b>${tool.title}</b>${status('Waiting for approval', 'warning')}</div>
<p>${[...names].flatMap((name) => (name === undefined ? [] : [visibleText(name)])).join(' · ')}</p>
${changesTable(rows.slice(0, MAX_ROWS).map(toVisibleRow), tool.verb === 'create')}${moreHtml(rows.length - MAX_ROWS)}
${others.slice(0, MAX_OTHERS).map((other) => otherHtml(other, caller))}${moreHtml(others.length - MAX_OTHERS)}${when(
    typeof total === 'number' ? total : null,
    (cents) => html`
<p><b>Total ${money(cents, caller.tenant.currency)}</b></p>`,
  )}${warningsHtml(effect.result)}
<p class="help">Nothing happens until someone approves it: ${url}</p>`
}

const warningsHtml = ({ warnings }: Readonly<Record<string, unknown>>): Html =>
  html`${(Array.isArray(warnings) ? warnings : []).map(
    (warning) => html`<p class="warning">${visibleText(String(warning))}</p>`,
  )}`

const moreHtml = (count: number): Html | '' => (count > 0 ? html`<p class="help">and ${count} more</p>` : '')

/** Draws a record written along with the main one, such as a contact of a new customer. */
function otherHtml({ type = '', changes }: WrittenRecord, caller: Caller): Html {
  const screen = screens.find(({ entity }) => entity.singular === type) ?? { fields: [] }
  const rows = describeChanges(screen, { changes: visibleChanges(changes, caller) }, caller.tenant, true)
  return html`<p>${wordFor(type)}</p>${changesTable(rows.slice(0, MAX_ROWS).map(toVisibleRow), false)}`
}

const toVisibleRow = ({ label, before, after }: FieldChange): FieldChange => ({
  label,
  before: visibleText(before),
  after: visibleText(after),
})
