import { id } from '../../platform/validation/fields.ts'
import { longText } from '../../platform/validation/text/text.ts'
import { idsOf } from '../completions.ts'
import { DATA_ONLY, accountData, accountNotes } from './account_data.ts'
import { customerFacts } from './customer_facts.ts'
import { paragraphs, prompt, steps } from './prompt.ts'

export const draftInvoice = prompt({
  name: 'draft-invoice',
  title: 'Draft an invoice',
  scopes: ['read:customers'],
  tools: ['customers_get', 'invoices_create'],
  description: 'Itemizes the work into a draft invoice with invoices_create, which computes totals and tax.',
  input: {
    customer_id: id().describe('Id of the customer; completed from a name, phone or e-mail'),
    work_summary: longText(5000).describe('The work that was done'),
  },
  completes: { customer_id: idsOf('customer', 'customers_search') },
  async write(by, { customer_id, work_summary }) {
    const facts = await customerFacts(by, customer_id, { withDone: true })
    return paragraphs(
      'Itemize the work for the customer below into a draft invoice, and make it with the tool invoices_create.',
      DATA_ONLY,
      accountData(facts),
      work_summary == null ? null : `The work that was done:\n${accountNotes(work_summary)}`,
      steps(
        work_summary == null
          ? 'Ask which work is billed, or which of the done jobs; there is no summary yet.'
          : 'Make a line item of each piece of work, with its quantity. ' +
              'Ask for what the summary leaves open instead of inventing it.',
        'Take prices from catalog_items_list, or from the words above; ask for a price that neither has.',
        `Call invoices_create with customer_id "${customer_id}" and line_items, ` +
          `and with job_ids of the jobs that it bills; ` +
          'for one job as it stands, from_job_id copies its lines.',
        'Totals and tax come from the answer of invoices_create: never compute or guess them.',
        'Say in a sentence what was made and its total, and share the url of the answer.',
      ),
    )
  },
})
