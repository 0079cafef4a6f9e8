import { sql, type Db } from '../../platform/db/tenant.ts'
import { priceDocument, type Discount, type DocumentLine } from '../../money/document.ts'
import { ratePercentage, type Rate } from '../../money/rates.ts'
import { Refusal, invalidField } from '../../platform/errors/refusal.ts'
import { say } from '../../platform/i18n/say.ts'
import { money } from '../../records/format/formats.ts'
import { newPacer } from '../../platform/db/pacer.ts'
import type { Cells } from './cells.ts'
import type { LineInput, SourceAmounts } from './source_document.ts'
import { refusals } from './refusals.ts'

/** Tool arguments that make a document match the file's total. Without a rate, the company's own applies. */
type DocumentPricing = { line_items: readonly LineInput[]; discount?: Discount; tax_rate_id?: string | null }

/** Options for pricing a document. `isEvenedOut` adds balancing lines if lines and tax don't match its total. */
type PricingOptions = { currency: string; isExempt: boolean; isEvenedOut: boolean }

/** Parses the amounts of a document. */
export const parseAmounts = (cells: Cells): SourceAmounts => ({
  subtotal: cells.cents('subtotal'),
  discount: absolute(cells.cents('discount')),
  tax: cells.cents('tax'),
  total: cells.cents('total'),
  paid: absolute(cells.cents('amount_paid')),
  balance: cells.cents('balance'),
  rate: /^\s{0,9}(\d{1,3}(?:\.\d{1,9})?)\s{0,9}%?\s{0,9}$/.exec(cells.text('tax_rate') ?? '')?.[1],
})

const absolute = (cents: number | undefined): number | undefined => (cents === undefined ? undefined : Math.abs(cents))

/** Prices a document with the company's rates, so that it matches the file's amounts. */
export const priceToMatch = async (
  db: Db,
  lines: readonly LineInput[],
  amounts: SourceAmounts,
  options: PricingOptions,
): Promise<DocumentPricing> => {
  const pace = newPacer()
  const attempts = tryPricings(await ratesOf(db), lines, amounts, options)
  for (let attempt = attempts.next(); ; attempt = attempts.next()) {
    if (attempt.done === true) return attempt.value
    await pace()
  }
}

/**
 * Finds the tax rate and discount with which our arithmetic matches the file's tax and total to the cent. If none does,
 * throws, or adds balancing lines if `isEvenedOut`.
 */
export function findPricing(...args: Parameters<typeof tryPricings>): DocumentPricing {
  const attempts = tryPricings(...args)
  for (let attempt = attempts.next(); ; attempt = attempts.next()) if (attempt.done === true) return attempt.value
}

/** Tries each combination of rate and discount. Yields before each, so that other work can run in between. */
function* tryPricings(
  activeRates: readonly Rate[],
  lines: readonly LineInput[],
  amounts: SourceAmounts,
  options: PricingOptions,
): Generator<void, DocumentPricing> {
  const taxes = possibleTaxes(amounts, amounts.subtotal ?? totalsOf(lines, 0, null, true)?.total_cents)
  if (taxes[0] === undefined && amounts.total === undefined)
    return { line_items: lines, ...toDiscount(amounts.discount) }
  const rates = ratesMatching(activeRates, amounts.rate)
  for (const tax of taxes)
    for (const discount of amounts.discount === undefined || amounts.discount === 0 ? [0] : [amounts.discount, 0])
      for (const rate of tax === 0 ? [null] : [...rates, null]) {
        yield
        const ours = totalsOf(lines, discount, rate, options.isExempt)
        const isSame = ours !== undefined && (tax === undefined || ours.tax_cents === tax)
        if (isSame && (amounts.total === undefined || ours.total_cents === amounts.total))
          return { line_items: lines, ...toDiscount(discount), tax_rate_id: rate?.tax_rate_id ?? null }
      }
  const [tax] = taxes
  if (!options.isEvenedOut)
    throw totalMismatch(lines, { ...amounts, tax }, tax === 0 ? [null] : [...rates, null], options)
  return addBalancingLines(lines, { ...amounts, tax })
}

/**
 * Returns the possible tax amounts: the file's tax, or else the difference between total and subtotal, with the
 * discount already deducted or not.
 */
export function possibleTaxes(
  { tax, discount = 0, total }: SourceAmounts,
  sum: number | undefined,
): (number | undefined)[] {
  if (tax !== undefined || total === undefined || sum === undefined) return [tax]
  const candidates = [...new Set([total - sum + discount, total - sum])].filter((one) => one >= 0)
  return candidates.length === 0 ? [undefined] : candidates
}

const toDiscount = (cents: number | undefined): { discount?: Discount } =>
  cents === undefined || cents === 0 ? {} : { discount: { type: 'amount', value: cents } }

/** Returns the active tax rates, the company's default first. */
const ratesOf = (db: Db): Promise<Rate[]> =>
  db.all<Rate>(sql`select id as tax_rate_id, name, rate_decimal::text as rate_decimal from tax_rates
    where tenant_id = ${db.tenant} and archived_at is null order by is_default desc, name_folded, id limit 200`)

/** Returns the rates with the file's percentage, or all rates if none has it. */
function ratesMatching(activeRates: readonly Rate[], percentage: string | undefined): readonly Rate[] {
  const matching = activeRates.filter(({ rate_decimal }) => Number(ratePercentage(rate_decimal)) === Number(percentage))
  return matching.length > 0 ? matching : activeRates
}

type Totals = { tax_cents: number; total_cents: number }

/** Prices lines with a rate as our tools would; undefined if they refuse. */
function totalsOf(
  lines: readonly LineInput[],
  discount: number,
  rate: Rate | null,
  isExempt: boolean,
): Totals | undefined {
  try {
    return priceDocument({
      line_items: lines.map((line): DocumentLine => (line.kind === 'discount' ? line : { ...line, rate })),
      discount: discount === 0 ? null : { type: 'amount', value: discount },
      tax_exempt: isExempt,
    })
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

function totalMismatch(
  lines: readonly LineInput[],
  { discount = 0, tax, total }: SourceAmounts,
  rates: readonly (Rate | null)[],
  { currency, isExempt }: PricingOptions,
): Refusal {
  const ours = totalsOf(lines, discount, rates[0] ?? null, isExempt)
  if (ours === undefined) return invalidField('total', refusals.wrongTotal())
  if (tax !== undefined && ours.tax_cents !== tax && ours.total_cents - ours.tax_cents + tax === (total ?? Infinity))
    return invalidField(
      'tax',
      refusals.otherTax({
        tax: money(tax, currency),
        ours: money(ours.tax_cents, currency),
        hasRate: rates[0] == null ? 'no' : 'yes',
        rate: rates[0]?.name ?? '',
      }),
    )
  return invalidField(
    'total',
    refusals.otherTotal({ total: money(total ?? 0, currency), ours: money(ours.total_cents, currency) }),
  )
}

/** Returns an untaxed document that matches the total, with its tax and any difference as lines. */
function addBalancingLines(
  lines: readonly LineInput[],
  { discount = 0, tax = 0, total }: SourceAmounts,
): DocumentPricing {
  const isPossible = discount > 0 && totalsOf(lines, discount, null, true) !== undefined
  const deduction = isPossible ? discount : 0
  const sum = (totalsOf(lines, deduction, null, true)?.total_cents ?? 0) + tax
  const difference = (total ?? sum) - sum
  return {
    line_items: [
      ...lines,
      ...(tax > 0 ? [fee(say`Tax`, tax)] : []),
      ...(difference > 0 ? [fee(say`Difference`, difference)] : []),
      ...(difference < 0
        ? [{ kind: 'discount', name: say`Difference`, discount_type: 'amount', discount_value: -difference } as const]
        : []),
    ],
    ...toDiscount(deduction),
    tax_rate_id: null,
  }
}

const fee = (name: string, cents: number): LineInput => ({
  kind: 'fee',
  name,
  quantity: '1',
  unit_price_cents: cents,
  taxable: false,
})
