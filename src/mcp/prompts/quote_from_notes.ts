import { id } from '../../platform/validation/fields.ts'
import { longText } from '../../platform/validation/text/text.ts'
import { idsOf } from '../completions.ts'
import { DATA_ONLY, accountData, accountNotes } from './account_data.ts'
import { customerFacts } from './customer_facts.ts'
import { paragraphs, prompt, steps } from './prompt.ts'

export const quoteFromNotes = prompt({
  name: 'quote-from-notes',
  title: 'Quote from notes',
  scopes: ['read:customers', 'write:quotes'],
  tools: ['customers_get', 'quotes_create'],
  description: 'Creates a draft quote from notes with quotes_create, which computes totals and tax.',
  input: {
    customer_id: id().describe('Customer id; autocompletes from a name, phone number or email'),
    notes: longText(5000).describe('What needs to be done, from what was seen or said on site'),
  },
  completes: { customer_id: idsOf('customer', 'customers_search') },
  async write(by, { customer_id, notes }) {
    const facts = await customerFacts(by, customer_id)
    return paragraphs(
      'Create a draft quote for the customer below with the quotes_create tool.',
      DATA_ONLY,
      accountData(facts),
      notes == null ? null : `Notes on the work:\n${accountNotes(notes)}`,
      steps(
        notes == null
          ? 'Ask what needs to be done; there are no notes yet.'
          : 'Make a line item for each piece of work and material, with its quantity. ' +
              'Ask for anything the notes leave out; never invent it.',
        by.may('catalog_items_list')
          ? 'Take each price from catalog_items_list, and put its catalog_item_id on the line; ' +
              'ask for any price that the catalog lacks.'
          : 'Take prices from the notes; ask for any price that they lack.',
        `Call quotes_create with customer_id "${customer_id}", a title and line_items, and leave it as a draft.`,
        'Totals and tax come from the result: never compute or guess them. ' +
          "Nothing is sent; a person sends it from the quote's page.",
        'Tell the person in one sentence what you created and its total, with its url.',
      ),
    )
  },
})
