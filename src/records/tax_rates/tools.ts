import { invalidField } from '../../platform/errors/refusal.ts'
import { flag } from '../../platform/validation/fields.ts'
import { applyPatch } from '../../platform/validation/patch.ts'
import { entity, tool } from '../../tools/declare/define.ts'
import { edit } from '../../tools/declare/edit.ts'
import { idInput } from '../../tools/declare/inputs.ts'
import { updateOutcome, createOutcome, removeOutcome, readOutcome } from '../../tools/call/outcome.ts'
import { pageList } from '../../tools/declare/page_list.ts'
import { TAX_RATE, type TaxRate } from './fields.ts'
import { refusals } from './refusals.ts'
import {
  addTaxRate,
  archiveTaxRate,
  changeTaxRate,
  countTaxRates,
  findTaxRate,
  listTaxRates,
  lockTaxRate,
} from './tax_rate.ts'

const { rate_percentage, name, is_default } = TAX_RATE.inputs

export const taxRates = entity({
  name: 'tax_rates',
  singular: 'tax_rate',
  subject: 'tax_rates',
  record: TAX_RATE,
  tools: [
    pageList({
      title: 'List tax rates',
      description: 'The default first, then by name.',
      input: { include_archived: flag().optional().describe('Include archived ones') },
      rows: ({ db }, query) => listTaxRates(db, query),
      count: ({ db }, query) => countTaxRates(db, query),
    }),
    tool({
      verb: 'get',
      title: 'Get a tax rate',
      description: 'A live tax rate.',
      input: idInput,
      run: async ({ db }, { id }) => readOutcome(await findTaxRate(db, id)),
    }),
    tool({
      verb: 'create',
      title: 'Create a tax rate',
      description: 'Creates a rate; a new default replaces the old one.',
      input: { rate_percentage, name, is_default },
      run: async ({ db, caller }, draft) => createOutcome(await addTaxRate(db, caller, TAX_RATE.complete(draft))),
    }),
    edit({
      verb: 'update',
      title: 'Update a tax rate',
      description:
        'Renames a rate, or sets or clears it as the default. The percentage stays; create a new rate for another.',
      input: {
        is_default,
        name: name.describe('Name'),
        rate_percentage: rate_percentage.optional().meta({ hidden: true }),
      },
      lock: async ({ db }, { id, is_default, rate_percentage }) => {
        const rate = await lockTaxRate(db, id, { movesDefault: is_default === true })
        requireSamePercentage(rate, rate_percentage)
        return rate
      },
      run: async ({ db, caller }, { name, is_default }, before) =>
        updateOutcome(before, await changeTaxRate(db, caller, before, applyPatch(before, { name, is_default }))),
    }),
    tool({
      verb: 'archive',
      title: 'Archive a tax rate',
      description: 'Hides the rate from new documents and clears it as the default; documents that use it keep it.',
      input: idInput,
      run: async ({ db, caller }, { id }) => {
        const { is_default } = await lockTaxRate(db, id, { movesDefault: false })
        return removeOutcome(
          { ...(await archiveTaxRate(db, caller, id)), was_default: is_default },
          { archived_at: null },
        )
      },
    }),
  ],
})

/**
 * Refuses a new percentage: it needs a new rate, so that documents stay explainable
 * (docs/spec/records.md#tax-rate-fields).
 */
function requireSamePercentage({ rate_percentage: current }: TaxRate, percentage: number | undefined): void {
  if (percentage === undefined || percentage === current) return
  throw invalidField(
    'rate_percentage',
    refusals.percentageFixed({ present: String(current), given: String(percentage) }),
  )
}
