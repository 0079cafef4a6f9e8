import { auditChange } from '../../identity/audit.ts'
import { parseField } from '../../identity/inputs.ts'
import { insertSelected, sql, type Db } from '../../platform/db/tenant.ts'
import { conflict, invalidField, joinRules, quoteText } from '../../platform/errors/refusal.ts'
import { isId } from '../../platform/validation/id.ts'
import { longText } from '../../platform/validation/text/text.ts'
import {
  beginChecklists,
  findChecklists,
  copyTemplates,
  type ChecklistItemValue,
  type ChecklistJob,
} from './job_checklist.ts'
import { listTemplates, type ChecklistItemKind } from './template.ts'
import { refusals } from './refusals.ts'

const MAX_NUMBER = 1_000_000_000_000

/** Answer to a checklist item: when it was given, and by whom. */
type ChecklistAnswer = { item_id: string; value: unknown; at: string; by: { user: string } }

/**
 * Answers an item of a job's checklist. The answer with the latest time wins, regardless of arrival order; false, an
 * empty text and null clear one. An item since removed from the template is accepted: an offline phone still showed it.
 */
export async function answerItem(
  db: Db,
  job: ChecklistJob,
  { item_id, value, at, by }: ChecklistAnswer,
): Promise<void> {
  if (!isId(item_id)) throw invalidField('item_id', refusals.unknownItem())
  await beginChecklists(db, job)
  const item = (await findItem(db, job, item_id)) ?? (await addLateItem(db, job, item_id))
  const answer = readValue(item.kind, value)
  if (item.answered_at !== null && item.answered_at > at) return
  await db.run(sql`update job_checklist_items
    set value = ${answer === null ? null : JSON.stringify(answer)}, answered_at = ${at}, answered_by = ${by.user}
    where tenant_id = ${db.tenant} and job_id = ${job.id} and id = ${item_id}`)
  if (answer !== item.value)
    await db.run(auditChange(db.tenant, by, 'jobs.check', job.id, { [`item ${item.text}`]: [item.value, answer] }))
}

/** Parses an answer according to the kind of its item. */
function readValue(kind: ChecklistItemKind, value: unknown): ChecklistItemValue {
  if (value === null || value === false || value === '') return null
  if (kind === 'check') {
    if (value === true) return true
    throw invalidField('value', refusals.notBoolean())
  }
  if (kind === 'number') return readNumber(value)
  if (typeof value !== 'string') throw invalidField('value', refusals.notText())
  return parseField(longText(500), value, 'value') ?? null
}

function readNumber(value: unknown): number {
  const number = typeof value === 'string' && value.length <= 30 ? parseNumber(value) : value
  if (typeof number === 'number' && Number.isFinite(number) && Math.abs(number) <= MAX_NUMBER) return number
  throw invalidField('value', refusals.notNumber({ value: String(value).slice(0, 30) }))
}

const parseNumber = (text: string): number =>
  /^\s*[+-]?\d+(?:[.,]\d+)?\s*$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN

type StoredItem = { text: string; kind: ChecklistItemKind; value: ChecklistItemValue; answered_at: string | null }

const findItem = (db: Db, { id }: ChecklistJob, item: string): Promise<StoredItem | undefined> =>
  db.maybe<StoredItem>(sql`select text, kind, value, answered_at from job_checklist_items
    where tenant_id = ${db.tenant} and job_id = ${id} and id = ${item}`)

/** Adds a template item that the job's copy lacks, with its list if needed; throws if no template has it. */
async function addLateItem(db: Db, job: ChecklistJob, item: string): Promise<StoredItem> {
  const row = await db.present<Pick<StoredItem, 'text' | 'kind'> & { template: string; name: string }>(
    sql`select i.text, i.kind, t.id as template, t.name
      from checklist_template_items i join checklist_templates t on t.tenant_id = i.tenant_id and t.id = i.template_id
      where i.tenant_id = ${db.tenant} and i.id = ${item}`,
    'item of the checklist',
  )
  const template = (await listTemplates(db)).find(({ id }) => id === row.template)
  await copyTemplates(db, job, [template ?? { id: row.template, name: row.name, items: [] }], null)
  await db.run(
    insertSelected(sql`insert into job_checklist_items (tenant_id, job_id, id, template_id, position, text, kind,
      is_required)
    select tenant_id, ${job.id}, id, template_id, position, text, kind, is_required from checklist_template_items
    where tenant_id = ${db.tenant} and id = ${item} on conflict do nothing`),
  )
  return { ...row, value: null, answered_at: null }
}

/** Returns the texts of a job's required items that are still open. */
export const listOpenItems = async (db: Db, job: ChecklistJob): Promise<string[]> =>
  (await findChecklists(db, job))
    .flatMap(({ items }) => items)
    .filter(({ is_required, value }) => is_required && value === null)
    .map(({ text }) => text)

const MAX_NAMED = 5

/** Throws if a visit's checklist has required items open. */
export async function requireChecklistDone(db: Db, job: ChecklistJob): Promise<void> {
  const open = await listOpenItems(db, job)
  if (open.length === 0) return
  const namedItems = open.slice(0, MAX_NAMED)
  const more = open.length - namedItems.length
  const items = `${namedItems.map((text) => `'${text}'`).join(', ')}${more > 0 ? `, and ${more} more` : ''}`
  throw conflict(
    refusals.itemsOpen({
      items,
      names: { words: joinRules(namedItems.map((text) => [quoteText(text)])) },
      count: open.length,
      more,
    }),
  )
}

/** Records that a user finished a visit although required items were open. */
export async function auditOpenItems(db: Db, job: ChecklistJob, by: { user: string }): Promise<void> {
  const open = await listOpenItems(db, job)
  if (open.length === 0) return
  await beginChecklists(db, job)
  await db.run(auditChange(db.tenant, by, 'jobs.finish_anyway', job.id, { open_items: [null, open.join('; ')] }))
}
