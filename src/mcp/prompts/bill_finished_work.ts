import { DATA_ONLY, accountTexts } from './account_data.ts'
import { paragraphs, prompt, steps } from './prompt.ts'

export const billFinishedWork = prompt({
  name: 'bill-finished-work',
  title: 'Bill finished work',
  scopes: ['read:jobs', 'read:invoices', 'write:invoices'],
  tools: ['jobs_list', 'invoices_list', 'invoices_create'],
  description: 'Reviews the finished work that is not on an invoice, and creates draft invoices with invoices_create.',
  input: {},
  completes: {},
  async write(by) {
    return paragraphs(
      'Review the finished work below, which is not on an invoice, and create draft invoices for it.',
      DATA_ONLY,
      accountTexts(await by.overview('callout://unbilled')),
      steps(
        'Show the list with a suggestion for each job: ' +
          'bill it as is, ask for prices (its lines have a total of 0), ' +
          'or skip it (covered by a plan or a warranty). Wait until the person agrees.',
        'Call invoices_create with from_job_id, one invoice per job; ' +
          'the job number in the list works as its id. If the person wants one invoice for several jobs ' +
          'of a customer, send job_ids and the lines of those jobs.',
        'Leave the invoices as drafts. Take totals and tax from the results, and report all warnings.',
        'Say how many invoices you created and their combined total, with the url of each.',
      ),
    )
  },
})
