import { auditChange } from '../../identity/audit.ts'
import { parseField, readName } from '../../identity/inputs.ts'
import { requireOffice } from '../../identity/permissions/rights.ts'
import { values, valuesOf } from '../../platform/db/rows.ts'
import { ENTERED_TENANT, sql, type Db } from '../../platform/db/tenant.ts'
import { conflict, invalidField } from '../../platform/errors/refusal.ts'
import { newId } from '../../platform/validation/id.ts'
import { nonEmptyText } from '../../platform/validation/text/text.ts'
import type { TemplateScope } from './applying.ts'
import { refusals } from './refusals.ts'

const MAX_ITEMS = 60
const MAX_TEMPLATES = 100
const MAX_WORDS = 20

export const ITEM_KINDS = ['check', 'text', 'number'] as const
export type ChecklistItemKind = (typeof ITEM_KINDS)[number]
type ChecklistTemplateItem = { id: string; text: string; kind: ChecklistItemKind; is_required: boolean }

/** Items to check on a kind of work, and the visits they apply to. */
export type ChecklistTemplate = {
  id: string
  name: string
  applies: TemplateScope
  words: string[]
  items: ChecklistTemplateItem[]
}

/** Template from a form; items without a text are ignored. */
export type TemplateDraft = {
  name: string
  applies: string
  /** Comma-separated words. */
  words: string
  items: readonly { text: string; kind: string; is_required: boolean }[]
}

type Actor = { user: string }

/** Lists the active templates, oldest first, with their items in order. */
export const listTemplates = (db: Db): Promise<ChecklistTemplate[]> =>
  db.all<ChecklistTemplate>(
    sql`${TEMPLATES} where t.tenant_id = ${db.tenant} and t.archived_at is null order by t.created_at, t.id`,
  )

export const findTemplate = (db: Db, id: string): Promise<ChecklistTemplate> =>
  db.present<ChecklistTemplate>(
    sql`${TEMPLATES} where t.tenant_id = ${db.tenant} and t.id = ${id} and t.archived_at is null`,
    'checklist',
  )

const TEMPLATES = sql`select t.id, t.name, t.applies, t.words,
  (select coalesce(json_agg(json_build_object('id', i.id, 'text', i.text, 'kind', i.kind, 'is_required', i.is_required)
    order by i.position, i.id),
    '[]')
    from checklist_template_items i
    where i.tenant_id = ${ENTERED_TENANT} and i.template_id = t.id and i.dropped_at is null) as items
  from checklist_templates t`

/** Creates a template, for owners and the office; returns its id. */
export async function addTemplate(db: Db, draft: TemplateDraft, by: Actor): Promise<string> {
  const checked = parseDraft(draft)
  await requireOffice(db, by)
  await requireUniqueName(db, checked.name, null)
  const { count } = await db.one<{ count: number }>(
    sql`select count(*) as count from checklist_templates where tenant_id = ${db.tenant} and archived_at is null`,
  )
  if (count >= MAX_TEMPLATES) throw conflict(refusals.tooMany({ max: MAX_TEMPLATES }))
  const id = newId()
  await db.run(
    sql`insert into checklist_templates ${values({
      tenant_id: db.tenant,
      id,
      name: checked.name,
      applies: checked.applies,
      words: checked.words,
      created_by: by.user,
      updated_by: by.user,
    })}`,
  )
  await saveItems(db, id, [], checked.items)
  await db.run(auditChange(db.tenant, by, 'checklists.create', id, changesBetween(undefined, checked)))
  return id
}

/**
 * Changes a template, for visits that haven't started it. An item keeps its id while its text and kind stay the same; a
 * reworded item is a new one.
 */
export async function changeTemplate(db: Db, id: string, draft: TemplateDraft, by: Actor): Promise<void> {
  const checked = parseDraft(draft)
  await requireOffice(db, by)
  const before = await findTemplate(db, id)
  await requireUniqueName(db, checked.name, id)
  await db.run(sql`update checklist_templates
    set name = ${checked.name}, applies = ${checked.applies}, words = ${checked.words},
    updated_by = ${by.user}, updated_at = later_than(updated_at) where tenant_id = ${db.tenant} and id = ${id}`)
  await saveItems(db, id, before.items, checked.items)
  const changes = changesBetween(before, checked)
  if (Object.keys(changes).length > 0) await db.run(auditChange(db.tenant, by, 'checklists.set', id, changes))
}

/** Archives a template; visits with a copy keep it. */
export async function archiveTemplate(db: Db, id: string, by: Actor): Promise<{ name: string }> {
  await requireOffice(db, by)
  const archived = await db.present<{ name: string }>(
    sql`update checklist_templates
      set archived_at = moment(), updated_by = ${by.user}, updated_at = later_than(updated_at)
      where tenant_id = ${db.tenant} and id = ${id} and archived_at is null returning name`,
    'checklist',
  )
  await db.run(auditChange(db.tenant, by, 'checklists.archive', id, { name: [archived.name, null] }))
  return archived
}

type ParsedTemplate = Omit<ChecklistTemplate, 'id' | 'items'> & { items: Omit<ChecklistTemplateItem, 'id'>[] }

function parseDraft(draft: TemplateDraft): ParsedTemplate {
  const applies = readApplies(draft.applies)
  return {
    name: readName(draft.name, 'name', 100),
    applies,
    words: applies === 'words' ? readWords(draft.words) : [],
    items: readItems(draft.items),
  }
}

function readApplies(input: string): TemplateScope {
  if (input === 'every' || input === 'words' || input === 'chosen') return input
  throw invalidField('applies', refusals.unknownScope({ value: input.slice(0, 20) }))
}

function readWords(input: string): string[] {
  const parts = input.slice(0, 4000).split(/[,\n]/)
  const words = parts.filter((part) => part.trim() !== '').map((part) => parseField(nonEmptyText(60), part, 'words'))
  if (words.length === 0 || words.length > MAX_WORDS)
    throw invalidField('words', refusals.wordCount({ max: MAX_WORDS, count: words.length }))
  return [...new Set(words)]
}

function readItems(input: TemplateDraft['items']): ParsedTemplate['items'] {
  const filled = input.map((item, index) => ({ ...item, place: index })).filter(({ text }) => text.trim() !== '')
  if (filled.length === 0 || filled.length > MAX_ITEMS)
    throw invalidField('items', refusals.itemCount({ max: MAX_ITEMS, count: filled.length }))
  const items = filled.map(({ text, kind, is_required, place }) => ({
    text: parseField(nonEmptyText(200), text, `items[${place}].text`),
    kind: readKind(kind, `items[${place}].kind`),
    is_required,
  }))
  const duplicate = items.find((item, i) => items.findIndex((other) => isSame(item, other)) !== i)
  if (duplicate !== undefined) throw invalidField('items', refusals.duplicateItem({ text: duplicate.text }))
  return items
}

function readKind(input: string, field: string): ChecklistItemKind {
  const kind = ITEM_KINDS.find((one) => one === input)
  if (kind === undefined)
    throw invalidField(field, refusals.unknownKind({ kinds: ITEM_KINDS.join(', '), value: input.slice(0, 20) }))
  return kind
}

type ItemWording = Pick<ChecklistTemplateItem, 'text' | 'kind'>
const isSame = (a: ItemWording, b: ItemWording): boolean => a.text === b.text && a.kind === b.kind

async function requireUniqueName(db: Db, name: string, id: string | null): Promise<void> {
  const existing = await db.maybe(sql`select id from checklist_templates
    where tenant_id = ${db.tenant} and archived_at is null and lower(name) = lower(${name})
      and id is distinct from ${id}`)
  if (existing !== undefined) throw invalidField('name', refusals.duplicateName({ name }))
}

async function saveItems(
  db: Db,
  template: string,
  before: readonly ChecklistTemplateItem[],
  after: ParsedTemplate['items'],
): Promise<void> {
  const positioned = after.map((item, position) => ({
    ...item,
    position,
    id: before.find((one) => isSame(one, item))?.id,
  }))
  const ids = positioned.flatMap(({ id }) => id ?? [])
  await db.run(sql`update checklist_template_items set dropped_at = moment()
    where tenant_id = ${db.tenant} and template_id = ${template} and dropped_at is null and id <> all(${ids}::uuid[])`)
  for (const { id, position, is_required } of positioned)
    if (id !== undefined)
      await db.run(sql`update checklist_template_items set position = ${position}, is_required = ${is_required}
        where tenant_id = ${db.tenant} and id = ${id}`)
  const newItems = positioned.filter(({ id }) => id === undefined)
  if (newItems.length > 0)
    await db.run(
      sql`insert into checklist_template_items ${valuesOf(
        newItems.map((item) => ({ tenant_id: db.tenant, template_id: template, ...item, id: newId() })),
      )}`,
    )
}

function changesBetween(
  before: ChecklistTemplate | undefined,
  after: ParsedTemplate,
): Record<string, readonly [unknown, unknown]> {
  const toAuditValues = (template: ParsedTemplate | ChecklistTemplate) => ({
    name: template.name,
    applies: template.applies === 'words' ? `words: ${template.words.join(', ')}` : template.applies,
    items: template.items
      .map(({ text, kind, is_required }) => `${text} (${kind}${is_required ? ', required' : ''})`)
      .join('; '),
  })
  const earlierValues: Partial<ReturnType<typeof toAuditValues>> = before === undefined ? {} : toAuditValues(before)
  return Object.fromEntries(
    Object.entries(toAuditValues(after)).flatMap(([name, value]) => {
      const earlier = earlierValues[name as keyof typeof earlierValues] ?? null
      return earlier === value ? [] : [[name, [earlier, value] as const]]
    }),
  )
}
