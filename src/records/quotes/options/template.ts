import type { Caller } from '../../../identity/credentials/caller.ts'
import { sql, type Db } from '../../../platform/db/tenant.ts'
import { conflict, invalidField } from '../../../platform/errors/refusal.ts'
import { newId } from '../../../platform/validation/id.ts'
import { lineSources } from '../../catalog_items/index.ts'
import type { LineDraft } from '../../line_items/inputs.ts'
import { INPUT_FIELDS, type LineItem } from '../../line_items/line.ts'
import { liveRates } from '../../tax_rates/index.ts'
import { changeQuote } from '../change.ts'
import { setDeposit, type Deposit } from '../deposit/deposit.ts'
import type { Quote } from '../fields.ts'
import { findQuote, lockQuote } from '../quote.ts'
import { addOption } from './option.ts'
import { setOptionalLines } from './optional_lines.ts'
import { refusals } from './refusals.ts'

const MAX_TEMPLATES = 50

/** A line of a template. One with its catalog item's price takes the current price when it is used. */
export type TemplateLine = LineDraft & { has_catalog_price: boolean }

/** The fields of an option that a template stores. */
type TemplateOption = Pick<Quote, 'title' | 'terms' | 'discount'> & {
  deposit: Deposit | null
  line_items: TemplateLine[]
  optional_lines: TemplateLine[]
}

type LockedQuote = Awaited<ReturnType<typeof lockQuote>>

export type QuoteTemplate = { id: string; name: string; options: TemplateOption[] }

type TemplateName = Pick<QuoteTemplate, 'id' | 'name'>

export const listTemplates = (db: Db): Promise<TemplateName[]> =>
  db.all<TemplateName>(sql`select id, name from quote_templates where tenant_id = ${db.tenant} order by lower(name)`)

/** Returns the first templates of a company with their options, without templates larger than `maxBytes`. */
export const readTemplates = (
  db: Db,
  { max, maxBytes }: Record<'max' | 'maxBytes', number>,
): Promise<QuoteTemplate[]> =>
  db.all<QuoteTemplate>(sql`select id, name, options from quote_templates
    where tenant_id = ${db.tenant} and pg_column_size(options) <= ${maxBytes} order by lower(name) limit ${max}`)

type OfferedOption = Pick<Quote, 'title' | 'terms' | 'discount' | 'line_items'> & {
  deposit: Deposit | null
  optional_lines: LineItem[]
}

/** Saves a quote, with the options of its set, as a template; replaces one of the same name. */
export async function saveTemplate(
  db: Db,
  user: string | null,
  { id, option_set }: Quote,
  name: string,
): Promise<void> {
  const offered = await db.all<OfferedOption>(sql`select title, terms, discount, deposit, line_items,
      coalesce(optional_lines, '[]') as optional_lines
    from quotes where tenant_id = ${db.tenant} and status <> 'archived' and (id = ${id} or option_set = ${option_set})
    order by number`)
  const lines = offered.flatMap(({ line_items, optional_lines }) => [...line_items, ...optional_lines])
  const items = await lineSources(db, collectIds(lines, 'catalog_item_id'))
  const toTemplateLine = (line: LineItem): TemplateLine => ({
    ...Object.fromEntries(INPUT_FIELDS.flatMap((field) => (line[field] == null ? [] : [[field, line[field]]]))),
    ...(line.tax_rate_id === null && { tax_rate_id: null }),
    has_catalog_price: items.get(line.catalog_item_id ?? '')?.unit_price_cents === line.unit_price_cents,
  })
  const options = offered.map((one): TemplateOption => ({
    ...one,
    line_items: one.line_items.map(toTemplateLine),
    optional_lines: one.optional_lines.map(toTemplateLine),
  }))
  await db.run(sql`insert into quote_templates (tenant_id, id, name, options, created_by)
    values (${db.tenant}, ${newId()}, ${name}, ${JSON.stringify(options)}, ${user})
    on conflict (tenant_id, lower(name)) do update set name = excluded.name, options = excluded.options,
      created_by = excluded.created_by, created_at = excluded.created_at`)
  if ((await listTemplates(db)).length > MAX_TEMPLATES)
    throw conflict(refusals.tooManyTemplates({ max: MAX_TEMPLATES }))
}

const collectIds = (lines: readonly LineDraft[], field: 'catalog_item_id' | 'tax_rate_id'): string[] => [
  ...new Set(lines.flatMap((line) => line[field] ?? [])),
]

/** Deletes a template and returns its name; quotes made from it stay. */
export async function deleteTemplate(db: Db, id: string): Promise<string> {
  const template = await db.maybe<TemplateName>(
    sql`delete from quote_templates where tenant_id = ${db.tenant} and id = ${id} returning id, name`,
  )
  if (template === undefined) throw invalidField('template_id', refusals.noTemplate())
  return template.name
}

/**
 * Fills a locked draft without other options from the first option of a template, and adds the template's other
 * options. Returns the added options. `today` is the company's date.
 */
export async function applyTemplate(
  db: Db,
  caller: Caller,
  locked: LockedQuote,
  template: string,
  today: string,
): Promise<Quote[]> {
  const { id, status, display_number, option_set } = locked.before
  if (status !== 'draft' || option_set !== null) throw conflict(refusals.notEmptySet({ number: display_number }))
  const row = await db.maybe<{ options: TemplateOption[] }>(
    sql`select options from quote_templates where tenant_id = ${db.tenant} and id = ${template}`,
  )
  if (row === undefined) throw invalidField('template_id', refusals.noTemplate())
  const options = await refreshPrices(db, row.options)
  const added: Quote[] = []
  for (const [i, option] of options.entries()) {
    const quote =
      i === 0 ? locked : await lockQuote(db, (await addOption(db, caller.user, await findQuote(db, id), today)).id)
    const filled = await fillQuote(db, caller, quote, option, today)
    if (i > 0) added.push(filled)
  }
  return added
}

type FreshOption = Omit<TemplateOption, 'line_items' | 'optional_lines'> &
  Record<'line_items' | 'optional_lines', LineDraft[]>

/** Returns options at current catalog prices; lines whose item was archived since keep the stored values. */
async function refreshPrices(db: Db, options: readonly TemplateOption[]): Promise<FreshOption[]> {
  const lines = options.flatMap(({ line_items, optional_lines }) => [...line_items, ...optional_lines])
  const [items, rates] = await Promise.all([
    lineSources(db, collectIds(lines, 'catalog_item_id')),
    liveRates(db, collectIds(lines, 'tax_rate_id')),
  ])
  const refreshLine = ({ has_catalog_price, ...line }: TemplateLine): LineDraft => {
    const isLive = items.has(line.catalog_item_id ?? '')
    return {
      ...line,
      ...(!isLive && { catalog_item_id: undefined }),
      ...(isLive && has_catalog_price && { unit_price_cents: undefined }),
      ...(line.tax_rate_id != null && !rates.has(line.tax_rate_id) && { tax_rate_id: undefined }),
    }
  }
  return options.map((option) => ({
    ...option,
    line_items: option.line_items.map(refreshLine),
    optional_lines: option.optional_lines.map(refreshLine),
  }))
}

async function fillQuote(
  db: Db,
  caller: Caller,
  locked: LockedQuote,
  { line_items, optional_lines, deposit, ...offer }: FreshOption,
  today: string,
): Promise<Quote> {
  const { id } = locked.before
  await setOptionalLines(db, caller.user, locked.before, [])
  const filled = await changeQuote(
    db,
    caller,
    { ...locked, before: { ...locked.before, optional_lines: null } },
    'draft',
    { ...offer, line_items },
    today,
  )
  await setOptionalLines(db, caller.user, filled, optional_lines)
  const exceedsTotal = deposit?.type === 'amount' && Number(deposit.value) > filled.total_cents
  await setDeposit(db, caller.user, filled, exceedsTotal ? { type: 'percent', value: 100 } : deposit)
  return findQuote(db, id)
}
