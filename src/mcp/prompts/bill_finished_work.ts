import { DATA_ONLY, accountTexts } from './account_data.ts'
import { paragraphs, prompt, steps } from './prompt.ts'

export const billFinishedWork = prompt({
  name: 'bill-finished-work',
  title: 'Bill finished work',
  scopes: ['read:jobs', 'read:invoices', 'write:invoices'],
  tools: ['jobs_list', 'invoices_list', 'invoices_create'],
  description: 'Goes through the work that is done and on no invoice, and makes draft invoices with invoices_create.',
  input: {},
  completes: {},
  async write(by) {
    return paragraphs(
      'Go through the finished work below, which is on no invoice, and make draft invoices of it.',
      DATA_ONLY,
      accountTexts(await by.overview('callout://unbilled')),
      steps(
        'Show the list with a suggestion for each: ' +
          'bill it as it stands, ask for prices (its lines come to nothing), ' +
          'or leave it (covered by a plan or a warranty). Wait until the person agrees.',
        'Call invoices_create with from_job_id, one invoice for each job; ' +
          'the number of the job, as the list shows it, is taken for its id; ' +
          'for several jobs of one customer, one invoice with job_ids and their lines if the person wants that.',
        'Leave them drafts. Totals and tax come from the answers; read warnings, and say them.',
        'Say how many were made and what they come to in all, and share the url of each.',
      ),
    )
  },
})
