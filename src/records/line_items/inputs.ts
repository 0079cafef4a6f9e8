import { z } from 'zod'
import { discountAmount, percent, quantity, unitPrice } from '../../money/bounds.ts'
import { brokenRule, decimalNumber, parseDecimal, type Bounds, type Decimal } from '../../money/decimal.ts'
import type { DiscountType } from '../../money/document.ts'
import { ruleText } from '../../platform/errors/rule_text.ts'
import { choice, flag, id, optional, optionalObject, wholeNumber } from '../../platform/validation/fields.ts'
import { objectList } from '../../platform/validation/list.ts'
import { longText, text } from '../../platform/validation/text/text.ts'
import { refusals } from './refusals.ts'

const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value)
const isPlainText = (value: unknown): boolean => typeof value === 'string' && !/e/i.test(value)

export const decimal = (bounds: Bounds) =>
  decimalOf(z.custom<Decimal>(isNumber, { error: ruleText(refusals.number()), abort: true }), bounds)

/** Returns the schema of a decimal: a JSON number or its exact text without exponent. Outputs the number. */
export const decimalOrText = (bounds: Bounds) =>
  decimalOf(
    z.custom<Decimal>((value) => isNumber(value) || isPlainText(value), {
      error: ruleText(refusals.decimal()),
      abort: true,
    }),
    bounds,
  )

const decimalOf = (payload: z.ZodType<Decimal, Decimal>, bounds: Bounds) =>
  payload
    .meta({ type: 'number' })
    .check((payload) => {
      const rule = brokenRule(payload.value, bounds)
      if (rule !== null) payload.issues.push({ code: 'custom', message: rule, input: payload.value })
    })
    .transform((value) => decimalNumber(parseDecimal(value, bounds, ''), bounds.scale))

/** Returns the schema of a unit price in cents. */
export const cents = () =>
  z
    .number()
    .check((payload) => {
      const rule = brokenRule(payload.value, unitPrice)
      if (rule !== null) payload.issues.push({ code: 'custom', message: rule, input: payload.value })
    })
    .meta({ type: 'integer' })

/** Returns the bounds of a discount's value: a percentage or cents, by its type. */
export const discountBounds = (type: DiscountType): Bounds => (type === 'percent' ? percent : discountAmount)

const looseBounds: Bounds = { scale: 4, min: 0n, max: discountAmount.max * 10_000n, below: percent.below }

/** Reads a discount's value before its type is known. */
export const discountValue = () => decimal(looseBounds)

const KINDS = ['service', 'product', 'labor', 'fee', 'bundle', 'discount'] as const
export const discountType = () => choice('percent', 'amount')

const serverField = <Value extends z.ZodType>(value: Value) => value.nullable().optional().meta({ hidden: true })

/** Input fields of a line item (docs/spec/money.md#line-items). */
const lineInputs = {
  kind: choice(...KINDS)
    .optional()
    .describe('Default service'),
  catalog_item_id: optional(id()).describe('Source of defaults'),
  name: text(200).describe('Name'),
  description: longText(2000).describe('Details'),
  quantity: optional(decimalOrText(quantity)).describe('Default 1'),
  unit: text(20).describe('Unit'),
  unit_price_cents: optional(cents()).describe('Price'),
  taxable: flag().optional().describe('Default true'),
  tax_rate_id: optional(id()).describe('Rate'),
  discount_type: optional(discountType()).describe('Discount'),
  discount_value: optional(discountValue()).describe('Percent or cents'),
  position: wholeNumber(0, 9999).optional().meta({ hidden: true }),
  // Fields of results, accepted so that lines can be sent back as they were read.
  id: id().optional().meta({ hidden: true }),
  line_total_cents: serverField(z.int()),
  discount_share_cents: serverField(z.int()),
  tax_cents: serverField(z.int()),
  rate_decimal: serverField(z.number()),
  tax_name: serverField(z.string().max(200)),
}

export type LineDraft = z.output<z.ZodObject<typeof lineInputs, z.core.$strict>>

/** Returns the schema of a document's line items, at most `max`. */
export const lineItems = (max = 200) => objectList(lineInputs, max).describe('Lines')

/** Returns the schema of the discount of a whole document. */
export const documentDiscount = () =>
  optionalObject(
    z
      .strictObject({ type: discountType().describe('Kind'), value: discountValue().describe('Percent or cents') })
      .meta({ required: [] })
      .check((payload) => {
        const rule = brokenRule(payload.value.value, discountBounds(payload.value.type))
        if (rule !== null)
          payload.issues.push({ code: 'custom', message: rule, path: ['value'], input: payload.value.value })
      }),
  ).describe('Off the total; {} for none')
