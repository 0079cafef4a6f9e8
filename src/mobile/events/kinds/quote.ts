import { z } from 'zod'
import { storeSignedQuote } from '../../../customer_portal/answer_offer.ts'
import { readName } from '../../../identity/inputs.ts'
import { sql, type Db } from '../../../platform/db/tenant.ts'
import { conflict, invalidField } from '../../../platform/errors/refusal.ts'
import { id, wholeNumber } from '../../../platform/validation/fields.ts'
import { todayIn, utc } from '../../../platform/validation/formats/instants.ts'
import { readSignaturePath } from '../../../platform/validation/text/signature_path.ts'
import { longText, nonEmptyText } from '../../../platform/validation/text/text.ts'
import { money } from '../../../records/format/formats.ts'
import { documentDiscount } from '../../../records/line_items/inputs.ts'
import { MAX_OPTIONAL_LINES, findQuote, lockQuote, requireOpenSet, type Quote } from '../../../records/quotes/index.ts'
import { deviceTime } from '../event.ts'
import { defineKind, phoneOwner, type EventContext } from '../kind.ts'
import { refusals } from '../refusals.ts'
import { quantityField } from './part.ts'

/** Maximum lines of a quote, options beside the first, and position of an option in its set. */
const [MAX_LINES, MAX_MORE_OPTIONS, MAX_POSITION] = [40, 3, 99]

const lines = (max: number) => z.array(z.strictObject({ catalog_item_id: id(), quantity: quantityField() })).max(max)

const cents = () => wholeNumber(0, Number.MAX_SAFE_INTEGER)

const optionFields = {
  title: nonEmptyText(200).optional(),
  line_items: lines(MAX_LINES).min(1),
  optional_lines: lines(MAX_OPTIONAL_LINES).default([]),
  discount: documentDiscount(),
  deposit: documentDiscount(),
  terms: longText(10_000),
  total_cents: cents(),
}

type Option = z.output<z.ZodObject<typeof optionFields>>
type Draft = { id: string; option: Option }

/**
 * Drafts a quote for the visit's customer from catalog items, at the total the phone showed, with its other options as
 * quotes of the same set. Refuses if any total has changed since: the customer was told the old one.
 */
export const quote = defineKind(
  { ...optionFields, options: z.array(z.strictObject(optionFields)).max(MAX_MORE_OPTIONS).default([]) },
  async (context, { id: eventId, options, ...first }, { customer_id, title }) => {
    const { db, call, create } = context
    const quoteId = await create('quotes_create', { customer_id, title, ...contentOf(first) })
    const drafts: Draft[] = [{ id: quoteId, option: first }]
    for (const option of options) {
      const id = await create('quotes_add_option', { id: quoteId })
      await call('quotes_update', { id, title, discount: null, terms: null, ...contentOf(option) })
      drafts.push({ id, option })
    }
    for (const draft of drafts) await finishDraft(context, draft)
    // No earlier version was ever shown: a signature that names no version is for this one.
    await db.run(sql`update quotes set created_at = updated_at
      where tenant_id = ${db.tenant} and id = any(${drafts.map(({ id }) => id)}::uuid[]) and created_at <> updated_at`)
    await nameRecord(db, eventId, quoteId)
  },
)

/** Returns the content of an option, without fields left at their defaults. */
const contentOf = ({ title, line_items, discount, terms }: Option) => ({
  ...(title !== undefined && { title }),
  line_items,
  ...(discount != null && { discount }),
  ...(terms != null && { terms }),
})

/** Adds optional lines and the deposit to a draft; its total must match what the customer was told. */
async function finishDraft({ db, call }: EventContext, { id, option }: Draft): Promise<void> {
  const { optional_lines: line_items, deposit, total_cents } = option
  if (line_items.length > 0) await call('quotes_set_optional_lines', { id, line_items })
  if (deposit != null) await call('quotes_ask_deposit', { id, deposit })
  requireTotal(await findQuote(db, id), total_cents)
}

function requireTotal({ total_cents, currency, title, option_set }: Quote, expected: number): void {
  if (total_cents === expected) return
  const [before, now] = [money(expected, currency), money(total_cents, currency)]
  throw conflict(
    option_set === null ? refusals.pricesChanged({ before, now }) : refusals.optionPriceChanged({ title, before, now }),
  )
}

const nameRecord = (db: Db, eventId: string, record: string): Promise<number> =>
  db.run(sql`update field_acts set record_id = ${record} where tenant_id = ${db.tenant} and id = ${eventId}`)

/**
 * Accepts a quote of the visit that its customer saw and signed on the phone, with the positions of the optional lines
 * they chose. `option` is the position in a set of options, `updated_at` the version they saw.
 */
export const quote_signature = defineKind(
  {
    quote_act: id(),
    option: wholeNumber(0, MAX_POSITION).default(0),
    optional_lines: z
      .array(wholeNumber(0, MAX_OPTIONAL_LINES - 1))
      .max(MAX_OPTIONAL_LINES)
      .default([]),
    total_cents: cents().optional(),
    updated_at: deviceTime().optional(),
    name: z.string().max(400),
    drawing: z.string().max(20_000).default(''),
  },
  async (context, { id: eventId, quote_act, option, optional_lines, total_cents, updated_at, name, drawing }, job) => {
    const { db, at, caller, call } = context
    const { before } = await lockQuote(db, await findOption(db, { quote_act, option, job: job.id }), {
      withCustomer: true,
    })
    if (before.status === 'accepted') throw conflict(refusals.quoteAccepted({ number: before.display_number }))
    await requireOpenSet(db, before)
    const chosen = optional_lines.map((position) => before.optional_lines?.[position]?.id)
    if (Date.parse(before.updated_at) !== Date.parse(updated_at ?? before.created_at) || chosen.includes(undefined))
      throw conflict(refusals.quoteChanged({ number: before.display_number }))
    const signature = { name: readName(name, 'name', 100), signature: readSignaturePath(drawing, 'drawing') }
    if (chosen.length === 0) await call('quotes_update', { id: before.id, status: 'accepted' })
    else await call('quotes_accept', { id: before.id, optional_lines: chosen })
    const after = await findQuote(db, before.id)
    if (total_cents !== undefined) requireTotal(after, total_cents)
    const { user: taken_by } = phoneOwner(caller)
    const today = todayIn(caller.tenant.timezone).toString()
    const deposit = await storeSignedQuote(db, after, { ...signature, taken_by, signed_at: utc(at) }, today)
    if (deposit !== null) await nameRecord(db, eventId, deposit)
  },
)

type OptionReference = { quote_act: string; option: number; job: string }

/** Returns the id of the quote an event of the visit created, or of an option in its set. */
async function findOption(db: Db, { quote_act, option, job }: OptionReference): Promise<string> {
  const quote = await db.maybe<{ id: string }>(sql`select q.id from field_acts f
      join quotes m on m.tenant_id = ${db.tenant} and m.id = f.record_id
      join quotes q on q.tenant_id = ${db.tenant} and (q.id = m.id or q.option_set = m.option_set)
    where f.tenant_id = ${db.tenant} and f.id = ${quote_act} and f.job_id = ${job} and f.kind = 'quote'
    order by q.number offset ${option} limit 1`)
  if (quote === undefined) throw invalidField('quote_act', refusals.noQuote())
  return quote.id
}
