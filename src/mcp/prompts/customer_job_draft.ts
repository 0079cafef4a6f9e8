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
  description: 'Drafts a job for the customer from notes, then makes it with jobs_create.',
  input: {
    customer_id: id().describe('Id of the customer; completed from a name, phone or e-mail'),
    notes: longText(5000).describe('What is to be done, where and when'),
  },
  completes: { customer_id: idsOf('customer', 'customers_search') },
  async write(by, { customer_id, notes }) {
    const facts = await customerFacts(by, customer_id)
    return paragraphs(
      'Draft a job for the customer below, then make it with the tool jobs_create.',
      DATA_ONLY,
      accountData(facts),
      notes == null ? null : `Notes on the work:\n${accountNotes(notes)}`,
      steps(
        notes == null
          ? 'Ask what is to be done and when; there are no notes yet.'
          : 'Take title, description and time from the notes. Ask for what they leave open instead of inventing it.',
        'If an open job is already about this work, say so and ask whether to go on. ' +
          'If do_not_service is true, say so and ask first.',
        `Call jobs_create with customer_id "${customer_id}", ` +
          `the location_id of the primary service location unless another place is meant ` +
          `(locations_list has the others), and times as local time in ${by.caller.tenant.timezone}. ` +
          `Take prices of line items from catalog_items_list.`,
        'Say in a sentence what was made, and share the url of the answer.',
      ),
    )
  },
})
