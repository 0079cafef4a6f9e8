import { describeOutcome, listPlannedCalls, type CallOutcome } from '../../approvals/outcomes.ts'
import { isId } from '../../platform/validation/id.ts'
import { authorText, changesBy, changesText, historyOf, localTime } from '../../tools/call/history.ts'
import { idsOfKind, kinds } from '../completions.ts'
import { truncate, type Overview, type OverviewContext } from './overview.ts'
import type { SheetColumn, SheetPart } from './sheet.ts'

const MAX_ENTRIES = 12
const MAX_PLANNED = 20
const MAX_VALUE = 32

const COLUMNS: readonly SheetColumn[] = [
  { name: 'at', label: 'When' },
  { name: 'who', label: 'Who' },
  { name: 'tool', label: 'What' },
  { name: 'number', label: 'Record' },
  { name: 'customer', label: 'Customer', kind: 'words' },
  { name: 'changed', label: 'Changed', kind: 'words' },
]

export const history: Overview = {
  path: 'history/{kind}/{id}',
  name: 'history',
  title: 'History of a record',
  description:
    'Who changed a record and when, with old and new values, newest first; kind such as job, invoice, tax_rate',
  tools: [],
  completes: { kind: kinds, id: idsOfKind },
  async read(by, { kind = '', id = '' }) {
    const get = [...by.tools.values()].find(({ entity, tool }) => tool.verb === 'get' && entity.singular === kind)
    if (get === undefined || !isId(id) || !by.caller.scopes.has(get.scope)) return undefined
    const [, entries] = await Promise.all([get.tool.run(by, { id }), historyOf(by.db, by.caller, id, MAX_ENTRIES + 1)])
    const { currency, timezone } = by.caller.tenant
    return {
      title: `History of a ${kind.replaceAll('_', ' ')}`,
      currency,
      says: [`Times are local, in ${timezone}.`],
      parts: [
        {
          name: 'changes',
          title: 'Changes',
          emptyText: 'No changes.',
          columns: COLUMNS,
          rows: entries
            .slice(0, MAX_ENTRIES)
            .map((entry) => ({
              at: localTime(entry.at, timezone),
              who: authorText(entry),
              tool: entry.tool,
              changed: changesText(entry, timezone),
            })),
          more: entries.length > MAX_ENTRIES,
          moreHint: "older changes are on the record's page",
        },
      ],
    }
  },
}

export const connection: Overview = {
  path: 'connection',
  name: 'connection',
  title: 'Changes by this connection',
  description: 'Changes made with the credential that reads this, newest first',
  tools: [],
  async read(by) {
    const { currency, timezone } = by.caller.tenant
    const [entries, planned] = await Promise.all([
      changesBy(by.db, by.caller, readableBy(by), MAX_ENTRIES + 1),
      listPlannedCalls(by.db, by.caller.credential.id, MAX_PLANNED + 1),
    ])
    return {
      title: 'Changes by this connection',
      currency,
      says: [`Times are local, in ${timezone}.`],
      parts: [
        {
          name: 'changes',
          title: 'Changes',
          emptyText: 'This connection has not changed anything yet.',
          columns: COLUMNS,
          rows: entries
            .slice(0, MAX_ENTRIES)
            .map(({ at, tool, number, customer_name, record_id, changed }) => ({
              at: localTime(at, timezone),
              tool,
              number: number ?? (customer_name === null ? record_id : null),
              customer: truncate(customer_name, MAX_VALUE),
              changed: changesText({ tool, changed }, timezone),
            })),
          more: entries.length > MAX_ENTRIES,
          moreHint: "older changes are in each record's history",
        },
        ...(planned.length === 0 ? [] : [plansPart(planned, timezone)]),
      ],
    }
  },
}

/** Lists the connection's proposals and the outcome of each call. A note is from the person who decided. */
const plansPart = (planned: readonly CallOutcome[], timezone: string): SheetPart => ({
  name: 'plans',
  title: 'Plans',
  emptyText: '',
  columns: [
    { name: 'plan', label: 'Plan' },
    { name: 'call', label: 'Call' },
    { name: 'tool', label: 'What' },
    { name: 'record', label: 'Record' },
    { name: 'outcome', label: 'Outcome' },
    { name: 'at', label: 'When' },
    { name: 'note', label: 'Note' },
  ],
  rows: planned
    .slice(0, MAX_PLANNED)
    .map((call) => ({
      plan: call.proposal,
      call: call.position,
      tool: call.tool,
      record: call.record,
      outcome: describeOutcome(call),
      at: localTime(call.at, timezone),
      note: call.word,
    })),
  more: planned.length > MAX_PLANNED,
})

/** Returns the entities whose records the caller may read. */
const readableBy = ({ tools, caller }: OverviewContext): string[] =>
  [...tools.values()]
    .filter(({ tool, scope }) => tool.verb === 'get' && caller.scopes.has(scope))
    .map(({ entity }) => entity.name)
