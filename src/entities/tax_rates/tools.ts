import { decimal } from '../../lines/inputs.ts'
import { percent } from '../../money/bounds.ts'
import { invalidField } from '../../refusal.ts'
import { flag } from '../../shape/fields.ts'
import { patched } from '../../shape/patch.ts'
import { requiredText } from '../../shape/text.ts'
import { entity, tool } from '../../tools/define.ts'
import { editInputs, idInput, pageInputs, since } from '../../tools/inputs.ts'
import { changed, created, paged, removed, shown } from '../../tools/outcome.ts'
import { requireUnchanged } from '../../tools/unchanged.ts'
import { addTaxRate, archiveTaxRate, changeTaxRate, countTaxRates, findTaxRate, listTaxRates, lockTaxRate, type TaxRate } from './tax_rate.ts'

const isDefault = { is_default: flag().optional().describe('Used unless told otherwise') }

export const taxRates = entity({
  name: 'tax_rates', singular: 'tax_rate', subject: 'tax_rates', area: 'Tax rates',
  tools: [
    tool({
      verb: 'list', title: 'List tax rates', description: 'The default first, then by name.',
      input: { include_archived: flag().optional().describe('Archived ones too'), ...pageInputs },
      run: async ({ db, caller }, given) => {
        const listing = since(caller, given)
        const [rows, total] = await Promise.all([listTaxRates(db, listing), given.include_total ? countTaxRates(db, listing) : undefined])
        return paged(rows, given, total)
      },
    }),
    tool({
      verb: 'get', title: 'Get a tax rate', description: 'A live tax rate.',
      input: idInput,
      run: async ({ db }, { id }) => shown(await findTaxRate(db, id)),
    }),
    tool({
      verb: 'create', title: 'Create a tax rate', description: 'Makes a rate; a new default takes the place of the old one.',
      input: { rate_percentage: decimal(percent).describe('8.25 is 8.25%'), name: requiredText(100).optional().describe('Default Sales tax'), ...isDefault },
      run: async ({ db, caller }, { rate_percentage, name = 'Sales tax', is_default = false }) =>
        created(await addTaxRate(db, caller, rate_percentage, { name, is_default })),
    }),
    tool({
      verb: 'update', title: 'Update a tax rate', description: 'Renames a rate, or makes it the default or not. The percentage stays; make a new rate for another.',
      input: { ...editInputs, ...isDefault, name: requiredText(100).optional().describe('Name'), rate_percentage: decimal(percent).optional().meta({ hidden: true }) },
      run: async ({ db, caller }, { id, expected_updated_at, rate_percentage, ...patch }) => {
        const before = await lockTaxRate(db, id, { movesDefault: patch.is_default === true })
        requirePercentage(before, rate_percentage)
        requireUnchanged(before, expected_updated_at, caller)
        return changed(before, await changeTaxRate(db, caller, before, patched({ name: before.name, is_default: before.is_default }, patch)))
      },
    }),
    tool({
      verb: 'archive', title: 'Archive a tax rate', description: 'Hides the rate from new documents, and as the default; documents that have it keep it.',
      input: idInput,
      run: async ({ db, caller }, { id }) => {
        const { is_default } = await lockTaxRate(db, id, { movesDefault: false })
        return removed({ ...await archiveTaxRate(db, caller, id), was_default: is_default }, { archived_at: null })
      },
    }),
  ],
})

/** Documents must stay explainable, so another percentage is another rate (docs/spec/records.md#tax-rate-fields). */
function requirePercentage({ rate_percentage: present }: TaxRate, given: number | undefined): void {
  if (given === undefined || given === present) return
  throw invalidField('rate_percentage', `cannot be changed (it is ${present}, got ${given}); make a new rate with tax_rates_create and archive this one`)
}
