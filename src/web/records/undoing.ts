import type { PageRequest } from '../../platform/http/page_request.ts'
import { readFormFields } from '../../platform/http/form.ts'
import { say } from '../../platform/i18n/say.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { loadForm, readForm } from '../../records/form/form.ts'
import { fillForm, type FormField } from '../../records/fields/form_field.ts'
import type { RecordView } from '../../records/page/page_context.ts'
import type { Screen } from '../../records/page/screen.ts'
import type { Tool } from '../../tools/declare/define.ts'
import { historyOf, type HistoryEntry } from '../../tools/call/history.ts'
import type { Wire } from '../../tools/declare/results.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { redirectWithMessage, type FlashMessage } from '../flash_message.ts'
import type { Site } from '../site.ts'
import { requireWriteAccess } from './list/lists.ts'
import { refusalForPeople } from '../../platform/i18n/refusal_for_people.ts'

/** Returns the undo of the record's latest change, if its tool can restore the earlier values. */
export async function undoForm(
  context: MemberContext,
  screen: Screen,
  done: RecordView,
): Promise<FlashMessage['undo']> {
  const latest = await latestOf(context, done.id)
  if (latest === undefined || typeof done['updated_at'] !== 'string') return undefined
  const record = await context.callOf(screen.entity, 'get', { id: done.id })
  const undoCall = await findUndoCall(context, screen, record, latest)
  if (undoCall === undefined || screen.canUndo?.(latest.changed) === false) return undefined
  return {
    action: `${context.path(screen.entity.name, done.id)}/undo`,
    fields: { entry: latest.id, seen: String(record['updated_at']) },
  }
}

/** Undoes the latest change of a record, unless someone changed it since. */
export async function undoChange(site: Site, request: PageRequest, screen: Screen): Promise<Response> {
  const context = await requireMemberContext(site, request)
  requireWriteAccess(context, screen)
  const sent = await readFormFields(request.req.raw)
  const record = await context.callOf(screen.entity, 'get', { id: request.req.param('id') })
  const there = context.path(screen.entity.name, record.id)
  const latest = await latestOf(context, record.id)
  if (latest?.id !== sent.get('entry') || record['updated_at'] !== sent.get('seen'))
    return redirectWithMessage(there, { sentence: say`It was changed since, so nothing was undone` })
  const undoCall = await findUndoCall(context, screen, record, latest!)
  if (undoCall === undefined) return redirectWithMessage(there, { sentence: say`This can't be undone` })
  try {
    await context.call(undoCall.wire, { id: record.id, ...undoCall.input })
    return redirectWithMessage(there, { sentence: say`Undone` })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return redirectWithMessage(there, { sentence: say`This can't be undone`, notes: [refusalForPeople(error)] })
  }
}

async function latestOf(context: MemberContext, id: string): Promise<HistoryEntry | undefined> {
  const [latest] = await context.read((db) => historyOf(db, context.caller, id, 1))
  return latest
}

type UndoCall = { wire: Wire; input: Readonly<Record<string, unknown>> }

/** Returns the call that restores the values from before a change; undefined if its tool accepts none of them. */
async function findUndoCall(
  context: MemberContext,
  screen: Screen,
  record: RecordView,
  { tool: canonical, changed }: HistoryEntry,
): Promise<UndoCall | undefined> {
  const verb = canonical.slice(canonical.indexOf('.') + 1)
  const { name, tools, pageActions } = screen.entity
  const tool = [...tools, ...pageActions].find((one) => one.verb === verb)
  if (tool === undefined || !UNDOABLE_VERBS.has(verb)) return undefined
  const wire = `${name}_${verb}` as Wire
  const before = {
    ...record,
    ...Object.fromEntries(Object.entries(changed).map(([field, [previous]]) => [field, previous])),
  }
  const fields = (
    verb === 'update'
      ? screen.fields
      : screen.actions(context, record).flatMap((action) => (action.wire === wire ? (action.fields ?? []) : []))
  ).filter((field) => (field.from ?? field.name) in changed)
  const values = { ...plainValues(tool, changed, fields), ...(await toFormValues(context, fields, before)) }
  if (Object.keys(values).length === 0) return undefined
  const version = 'expected_updated_at' in tool.input.shape ? { expected_updated_at: record['updated_at'] } : {}
  return { wire, input: { ...values, ...version } }
}

/** Verbs that only replace values. Creating, ending and removing can't be undone. */
const UNDOABLE_VERBS: ReadonlySet<string> = new Set(['update', 'tag', 'pin'])

/** Returns the earlier values that a tool accepts in the form it returns them. */
const plainValues = (
  { input }: Tool,
  changed: HistoryEntry['changed'],
  fields: readonly FormField[],
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(changed)
      .filter(
        ([name, [previous]]) =>
          name in input.shape && !fields.some((field) => field.name === name) && isPlain(previous),
      )
      .map(([name, [previous]]) => [name, previous]),
  )

const isPlain = (value: unknown): boolean => value === null || typeof value !== 'object'

/** Returns earlier values as the record's form would send them. Empty values are null. */
async function toFormValues(
  context: MemberContext,
  fields: readonly FormField[],
  before: RecordView,
): Promise<Record<string, unknown>> {
  const filled = fillForm(fields, before, context.company)
  const form = await loadForm(context, fields, 'update', filled)
  const values = readForm(form, filled)
  return Object.fromEntries(form.fields.map(({ name }) => [name, values[name] ?? null]))
}
