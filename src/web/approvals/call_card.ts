import { attribute, html, when, type Html } from '../../platform/html/html.ts'
import { status } from '../../platform/html/parts/status.ts'
import { isDestructive } from '../../tools/declare/define.ts'
import { chargeIn } from '../../tools/call/burst_limit.ts'
import { say } from '../../platform/i18n/say.ts'
import { toolOfCall } from '../../approvals/rehearsal.ts'
import type { CallView } from '../../approvals/plan_view.ts'
import { money } from '../../records/format/formats.ts'
import { changeSentences } from '../../records/history/history_sentences.ts'
import { changesTable } from '../../records/history/changes_table.ts'
import { describeChanges } from '../../records/history/field_changes.ts'
import { wordFor } from '../../records/page/states.ts'
import type { WrittenRecord } from '../../tools/call/outcome.ts'
import type { MemberContext } from '../member_context.ts'
import { nameOfCall, type RecordLabel } from './record_names.ts'
import { isEditable } from './edit_call.ts'
import { screenOf, screenOfType } from './screen_of.ts'
import { verbLabel } from './words.ts'
import { refusalForPeople, warningForPeople } from '../../platform/i18n/refusal_for_people.ts'

type Card = {
  proposal: string
  context: MemberContext
  call: CallView
  names: ReadonlyMap<number, RecordLabel>
  connection: string
  isOpen: boolean
  /** Conversation that shows the plan; editing returns there. */
  conversation: string | undefined
}

/** Renders one call of a plan: its action, its record, the old and new values, and whether it is selected. */
export function callCard(card: Card): Html {
  const { call, isOpen, context, names } = card
  const { tool, entity } = toolOfCall(call)
  const { effect } = call
  const isPossible = effect === undefined || 'written' in effect
  const title = html`${status(
    chargeIn(call.given) === undefined ? verbLabel(tool.verb) : say`Charge`,
    tool.verb === 'create' ? 'good' : tool.verb === 'update' && !needsReview(call) ? 'active' : 'warning',
  )} <span class="call-kind">${wordFor(entity.singular)}</span> <b>${nameHtml(card)}</b>`
  return html`
<li class="${classOf(card, isPossible)}"${when(
    card.conversation === undefined,
    () => html` id="call-${call.position}"`,
  )}>
  ${isOpen && isPossible && call.canApprove ? checkboxHtml(call, title) : html`<p class="call-title">${title}</p>`}${outcomeHtml(
    card,
  )}
  ${call.isStale && isOpen ? versionsHtml(card) : changesHtml(card, call.written)}${when(
    isOpen && effect !== undefined && 'written' in effect && effect.warnings.length > 0 ? effect.warnings : undefined,
    (warnings) => html`
  <p class="call-warning">${warnings.map(warningForPeople).join(' ')}</p>`,
  )}${when(
    isOpen && !call.canApprove,
    () => html`
  <p class="help">${say`You don't have permission to do this, so someone else must approve it.`}</p>`,
  )}${when(
    call.buildsOn.length > 0,
    () => html`
  <p class="help">
    ${say`Builds on: ${call.buildsOn.map((position) => `${position}. ${nameOfCall(card.names, position)}`).join(', ')}`}
  </p>`,
  )}${totalHtml(call, context)}${editNote(call)}${when(
    isOpen && isEditable(call),
    () => html`
  <p><a href="${editPath(card)}">${say`Edit`}</a></p>`,
  )}${when(isOpen && needsReview(call) ? names.get(call.position) : undefined, removalNote)}
</li>`
}

function classOf({ call, isOpen }: Card, isPossible: boolean): string {
  if (!isOpen) return 'call'
  if (call.isStale || !isPossible) return 'call stale'
  return isDestructive(toolOfCall(call).tool) ? 'call removal' : 'call'
}

function editPath({ context, proposal, call, conversation }: Card): string {
  const path = context.path('proposals', proposal, 'calls', String(call.position))
  return conversation === undefined ? path : `${path}?conversation=${conversation}`
}

/** Renders a warning to check a removal before selecting it. */
const removalNote = ({ customer }: RecordLabel): Html => html`
  <p class="call-warning">${when(customer, (name) => html`${name} · `)}
    ${say`Check this one. It is not selected for you.`}</p>`

const editNote = ({ edited = [] }: CallView): Html | '' =>
  edited.length === 0
    ? ''
    : html`
  <p class="help">${say`Edited`}</p>`

const nameHtml = ({ names, call, context }: Card): Html | string => {
  const { name, href } = names.get(call.position)!
  return href === undefined
    ? `${call.position}. ${name}`
    : html`${call.position}. <a href="${context.path(...href)}">${name}</a>`
}

/** Renders a call's checkbox; a script unchecks calls that depend on an unchecked one. */
const checkboxHtml = (call: CallView, title: Html): Html => html`
<label class="call-title"><input type="checkbox" name="pick" value="${call.position}"
  data-on="${call.buildsOn.join(' ')}"${attribute('checked', isPreselected(call))}><span>${title}</span></label>`

/** Preselects a call, except stale ones, permanent removals and charges. */
const isPreselected = (call: CallView): boolean => !call.isStale && !needsReview(call)

const needsReview = (call: CallView): boolean =>
  isDestructive(toolOfCall(call).tool) || chargeIn(call.given) !== undefined

function outcomeHtml({ call: { is_applied }, isOpen }: Card): Html | '' {
  if (isOpen || is_applied === null) return ''
  return html` <p class="help">${is_applied ? say`Was done` : say`Was not done`}</p>`
}

/** Renders the proposed version beside the one that would run now. */
const versionsHtml = (card: Card): Html => {
  const { effect } = card.call
  return html`
  <p class="call-warning">${
    effect !== undefined && 'refusal' in effect
      ? say`This can no longer be done: ${refusalForPeople(effect.refusal)}`
      : say`The record has changed since. Look at both before you choose it.`
  }</p>
  <div class="versions">
    <div><p class="version">${say`As proposed`}</p>${changesHtml(card, card.call.written)}</div>${when(
      effect !== undefined && 'written' in effect ? effect.written : undefined,
      (written) => html`
    <div><p class="version">${say`As it would be done now`}</p>${changesHtml(card, written)}</div>`,
    )}
  </div>`
}

function changesHtml(card: Card, written: readonly WrittenRecord[]): Html {
  const { context, call, connection } = card
  const { entity, tool } = toolOfCall(call)
  const [first, ...others] = written
  if (first === undefined) return html`<p class="help">${say`This no longer changes anything.`}</p>`
  const rows = describeChanges(screenOf(entity), first, context.company, tool.verb === 'create', { isFull: true })
  const sentences = tool.verb === 'update' ? changeSentences(connection, first.changes, context.company) : []
  return html`${sentences.map(
    (sentence) => html`
  <p class="call-sentence">${sentence}</p>`,
  )}${when(rows.length > 0, () => changesTable(rows, tool.verb === 'create'))}${others.map((other) =>
    otherRecordHtml(context, other),
  )}`
}

/** Renders another record that the call changes, such as a contact of a new customer. */
function otherRecordHtml({ company }: MemberContext, other: WrittenRecord): Html {
  const kind = wordFor(other.type ?? '')
  const isNew = Object.values(other.changes).every(([before]) => before === null || before === undefined)
  const rows = describeChanges(screenOfType(other.type), other, company, isNew, { isFull: true })
  return html`
  <p class="call-other">${isNew ? say`New: ${kind}` : say`Changed with it: ${kind}`}</p>${
    rows.length === 0 ? html`<p class="help">${say`Nothing visible changes.`}</p>` : changesTable(rows, isNew)
  }`
}

function totalHtml({ result, given }: CallView, { company }: MemberContext): Html | '' {
  const { total_cents: total } = result as { total_cents?: unknown }
  return typeof total === 'number' && chargeIn(given) === undefined
    ? html`
  <p class="call-total">${say`Total`} <b>${money(total, company.currency)}</b></p>`
    : ''
}
