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
  description: 'Makes a draft quote from notes on the work with quotes_create, which computes totals and tax.',
  input: {
    customer_id: id().describe('Id of the customer; completed from a name, phone or e-mail'),
    notes: longText(5000).describe('What is to be done, as it was seen or said'),
  },
  completes: { customer_id: idsOf('customer', 'customers_search') },
  async write(by, { customer_id, notes }) {
    const facts = await customerFacts(by, customer_id)
    return paragraphs(
      'Make a draft quote for the customer below with the tool quotes_create.',
      DATA_ONLY,
      accountData(facts),
      notes == null ? null : `Notes on the work:\n${accountNotes(notes)}`,
      steps(
        notes == null
          ? 'Ask what is to be done; there are no notes yet.'
          : 'Make a line item of each piece of work and material, with its quantity. ' +
              'Ask for what the notes leave open instead of inventing it.',
        by.may('catalog_items_list')
          ? 'Take each price from catalog_items_list, and name its catalog_item_id on the line; ' +
              'ask for a price that the catalog lacks.'
          : 'Take prices from the notes; ask for a price that they lack.',
        `Call quotes_create with customer_id "${customer_id}", a title and the line_items, and leave it a draft.`,
        'Totals and tax come from the answer: never compute or guess them. ' +
          'Nothing is sent; a person sends it from the page of the quote.',
        'Say in a sentence what was made and its total, and share the url of the answer.',
      ),
    )
  },
})
