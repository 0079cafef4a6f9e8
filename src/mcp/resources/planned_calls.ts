import { describeOutcome, listCallsOfPlan, type PlanCall } from '../../approvals/outcomes.ts'
import { toolOfCall } from '../../approvals/rehearsal.ts'
import { isId } from '../../platform/validation/id.ts'
import { changesText, localTime, visibleChanges } from '../../tools/call/history.ts'
import type { Overview, OverviewContext } from './overview.ts'

const MAX_CALLS = 20

/** Plan of the connection that reads it. Plans of other connections are not visible to it. */
export const plannedCalls: Overview = {
  path: 'plans/{id}',
  name: 'plan_of_connection',
  title: 'Plan of this connection',
  description:
    'Outcome of a plan that this connection proposed, call by call; id is the one in the address of its page',
  tools: [],
  async read(by, { id = '' }) {
    if (!isId(id)) return undefined
    const calls = await listCallsOfPlan(by.db, by.caller.credential.id, id)
    const [first] = calls
    if (first === undefined) return undefined
    const { currency, timezone } = by.caller.tenant
    const note = first.word === null ? [] : [`Note from the person who decided: ${JSON.stringify(first.word)}.`]
    return {
      title: `Plan ${id}`,
      currency,
      says: [`${describePlan(first)} ${localTime(first.at, timezone)}, local time in ${timezone}.`, ...note],
      parts: [
        {
          name: 'calls',
          title: `Calls (${calls.length})`,
          emptyText: '',
          columns: [
            { name: 'call', label: 'Call' },
            { name: 'tool', label: 'What' },
            { name: 'record', label: 'Record' },
            { name: 'outcome', label: 'Outcome' },
            { name: 'changes', label: 'Changes', kind: 'words' },
            { name: 'total_cents', label: 'Total', kind: 'cents' },
          ],
          rows: calls.slice(0, MAX_CALLS).map((call) => toRow(by, call)),
          more: Math.max(0, calls.length - MAX_CALLS),
        },
      ],
    }
  },
}

const describePlan = ({ state }: PlanCall): string =>
  state === 'open'
    ? 'Waiting for approval since'
    : `${state.replace('_', ' ').replace(/^./, (a) => a.toUpperCase())} on`

/** Returns the row of a call. Its changes and total appear only while the connection has the tool's scope. */
function toRow({ caller }: OverviewContext, call: PlanCall) {
  const { canonical, scope } = toolOfCall(call)
  const [{ total_cents }, [written]] = caller.scopes.has(scope)
    ? [call.result, call.written]
    : [{ total_cents: null }, []]
  return {
    call: call.position,
    tool: call.tool,
    record: call.record,
    outcome: describeOutcome(call),
    changes:
      written === undefined
        ? null
        : changesText({ tool: canonical, changed: visibleChanges(written.changes, caller) }, caller.tenant.timezone),
    total_cents: typeof total_cents === 'number' ? total_cents : null,
  }
}
