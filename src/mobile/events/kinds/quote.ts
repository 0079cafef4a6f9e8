import { z } from 'zod'
import { keepSignedQuote } from '../../../customer_portal/answer_offer.ts'
import { readName } from '../../../identity/inputs.ts'
import { sql } from '../../../platform/db/tenant.ts'
import { conflict, invalidField } from '../../../platform/errors/refusal.ts'
import { id, whole } from '../../../platform/validation/fields.ts'
import { utc } from '../../../platform/validation/formats/instants.ts'
import { readSignaturePath } from '../../../platform/validation/text/signature_path.ts'
import { money } from '../../../records/format/formats.ts'
import { findQuote, lockQuote } from '../../../records/quotes/index.ts'
import { deviceTime } from '../event.ts'
import { defineKind, phoneOwner } from '../kind.ts'
import { refusals } from '../refusals.ts'
import { quantityField } from './part.ts'

const MAX_LINES = 40

/**
 * Drafts a quote for the visit's customer, of catalog items, at the total that the phone showed. Where that is another
 * amount by now there is no quote: the customer was told the old one.
 */
export const quote = defineKind(
  {
    line_items: z
      .array(z.strictObject({ catalog_item_id: id(), quantity: quantityField() }))
      .min(1)
      .max(MAX_LINES),
    total_cents: whole(0, Number.MAX_SAFE_INTEGER),
  },
  async ({ db, create }, { id: act, line_items, total_cents: expected }, { customer_id, title }) => {
    const record = await create('quotes_create', { customer_id, title, line_items })
    const { total_cents, currency } = await findQuote(db, record)
    if (total_cents !== expected)
      throw conflict(refusals.pricesChanged({ before: money(expected, currency), now: money(total_cents, currency) }))
    await db.run(sql`update field_acts set record_id = ${record} where tenant_id = ${db.tenant} and id = ${act}`)
  },
)

/** Accepts a quote of the visit as its customer saw and signed it on the phone; `updated_at` names what they saw. */
export const quote_signature = defineKind(
  {
    quote_act: id(),
    updated_at: deviceTime().optional(),
    name: z.string().max(400),
    drawing: z.string().max(20_000).default(''),
  },
  async ({ db, at, caller, call }, { quote_act, updated_at, name, drawing }, job) => {
    const made = await db.maybe<{ record_id: string | null }>(sql`select record_id from field_acts
      where tenant_id = ${db.tenant} and id = ${quote_act} and job_id = ${job.id} and kind = 'quote'`)
    if (made?.record_id == null) throw invalidField('quote_act', refusals.noQuote())
    const { before } = await lockQuote(db, made.record_id, { withCustomer: true })
    if (before.status === 'accepted') throw conflict(refusals.quoteAccepted({ number: before.display_number }))
    if (Date.parse(before.updated_at) !== Date.parse(updated_at ?? before.created_at))
      throw conflict(refusals.quoteChanged({ number: before.display_number }))
    const signed = { name: readName(name, 'name', 100), signature: readSignaturePath(drawing, 'drawing') }
    await call('quotes_update', { id: before.id, status: 'accepted' })
    const { user: taken_by } = phoneOwner(caller)
    await keepSignedQuote(db, await findQuote(db, before.id), { ...signed, taken_by, signed_at: utc(at) })
  },
)
