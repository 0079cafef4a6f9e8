import { id } from '../../../platform/validation/fields.ts'
import { todayIn } from '../../../platform/validation/formats/instants.ts'
import { nonEmptyText } from '../../../platform/validation/text/text.ts'
import { changesBetween, updateOutcome } from '../../../tools/call/outcome.ts'
import { tool } from '../../../tools/declare/define.ts'
import { idInput } from '../../../tools/declare/inputs.ts'
import { findQuote, lockQuote, requireQuoteOwner } from '../quote.ts'
import { applyTemplate, deleteTemplate, saveTemplate } from './template.ts'

/** Tools of pages for quote templates. */
export const templateTools = [
  tool({
    verb: 'save_template',
    title: 'Save a quote as a template',
    description:
      'Your own quotes only. Saves what the quote and its options offer; replaces a template of the same name.',
    person: true,
    input: { ...idInput, name: nonEmptyText(200).describe('Name of the template') },
    run: async ({ db, caller }, { id, name }) => {
      const { before } = await lockQuote(db, id)
      requireQuoteOwner(before, caller)
      await saveTemplate(db, caller.user, before, name)
      return { result: before, written: { record: id, changes: changesBetween({}, { template: name }) } }
    },
  }),
  tool({
    verb: 'use_template',
    title: 'Fill a quote from a template',
    counter: 'quote',
    description: 'Your own drafts only, without other options. Copies what the template offers, with its options.',
    person: true,
    input: { ...idInput, template_id: id().describe('Template') },
    run: async ({ db, caller }, { id, template_id }) => {
      const locked = await lockQuote(db, id)
      requireQuoteOwner(locked.before, caller)
      const added = await applyTemplate(db, caller, locked, template_id, todayIn(caller.tenant.timezone).toString())
      const also = added.map((option) => ({ record: option.id, changes: changesBetween({}, option) }))
      return { ...updateOutcome(locked.before, await findQuote(db, id)), also }
    },
  }),
  tool({
    verb: 'delete_template',
    title: 'Delete a quote template',
    description: 'Your own quotes only. Quotes made from the template stay.',
    person: true,
    input: { ...idInput, template_id: id().describe('Template') },
    run: async ({ db, caller }, { id, template_id }) => {
      const { before } = await lockQuote(db, id)
      requireQuoteOwner(before, caller)
      const template = await deleteTemplate(db, template_id)
      return { result: before, written: { record: id, changes: changesBetween({ template }, { template: null }) } }
    },
  }),
]
