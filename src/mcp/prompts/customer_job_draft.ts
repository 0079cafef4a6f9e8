import { id } from '../../platform/validation/fields.ts'
import { longText } from '../../platform/validation/text/text.ts'
import { idsOf } from '../completions.ts'
import { DATA_ONLY, accountData, accountNotes } from './account_data.ts'
import { customerFacts } from './customer_facts.ts'
import { paragraphs, prompt, steps } from './prompt.ts'

export const customerJobDraft = prompt({
  name: 'customer-job-draft',
  title: 'Draft a job for a customer',
  scopes: ['read:customers'],
  tools: ['customers_get', 'jobs_create'],
  description: 'Drafts a job for the customer from notes, then creates it with jobs_create.',
  input: {
    customer_id: id().describe('Customer id; autocompletes from a name, phone number or email'),
    notes: longText(5000).describe('What needs to be done, where and when'),
  },
  completes: { customer_id: idsOf('customer', 'customers_search') },
  async write(by, { customer_id, notes }) {
    const facts = await customerFacts(by, customer_id)
    return paragraphs(
      'Draft a job for the customer below, then create it with the jobs_create tool.',
      DATA_ONLY,
      accountData(facts),
      notes == null ? null : `Notes on the work:\n${accountNotes(notes)}`,
      steps(
        notes == null
          ? 'Ask what needs to be done and when; there are no notes yet.'
          : 'Take title, description and time from the notes. Ask for anything they leave out; never invent it.',
        'If an open job already covers this work, say so and ask whether to continue. ' +
          'If do_not_service is true, say so and ask first.',
        `Call jobs_create with customer_id "${customer_id}", ` +
          `the location_id of the primary service location unless the person means another one ` +
          `(locations_list has the others), and times as local time in ${by.caller.tenant.timezone}. ` +
          `Take line item prices from catalog_items_list.`,
        'Tell the person in one sentence what you created, with its url.',
      ),
    )
  },
})
