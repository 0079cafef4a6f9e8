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
    customer_id: id().describe('Customer id; autocompletes from a name, phone number or email'),
    work_summary: longText(5000).describe('The work that was done'),
  },
  completes: { customer_id: idsOf('customer', 'customers_search') },
  async write(by, { customer_id, work_summary }) {
    const facts = await customerFacts(by, customer_id, { withDone: true })
    return paragraphs(
      'Itemize the work for the customer below into a draft invoice, and create it with the invoices_create tool.',
      DATA_ONLY,
      accountData(facts),
      work_summary == null ? null : `The work that was done:\n${accountNotes(work_summary)}`,
      steps(
        work_summary == null
          ? 'Ask which work or which finished jobs to bill; there is no summary yet.'
          : 'Make a line item for each piece of work, with its quantity. ' +
              'Ask for anything the summary leaves out; never invent it.',
        'Take prices from catalog_items_list or from the text above; ask for any price that neither has.',
        `Call invoices_create with customer_id "${customer_id}", line_items, ` +
          `and the job_ids of the jobs that it bills; ` +
          'to bill one job as is, send from_job_id, which copies its lines.',
        'Totals and tax come from the result of invoices_create: never compute or guess them.',
        'Tell the person in one sentence what you created and its total, with its url.',
      ),
    )
  },
})
