import { DATA_ONLY, accountTexts } from './account_data.ts'
import { paragraphs, prompt, steps } from './prompt.ts'

export const chaseOverdue = prompt({
  name: 'chase-overdue-invoices',
  title: 'Chase overdue invoices',
  scopes: ['read:invoices'],
  tools: ['invoices_list'],
  description: 'Drafts a reminder for each customer whose invoices are overdue, for a person to send.',
  input: {},
  completes: {},
  async write(by) {
    return paragraphs(
      'Draft reminders for the overdue invoices below, one for each customer.',
      DATA_ONLY,
      accountTexts(await by.overview('callout://receivables')),
      steps(
        'Take those first who owe most for longest. ' +
          'Put all invoices of one customer into one reminder, with number, due date and what is owed.',
        'Write three sentences, friendly up to 30 days late and plain after that. ' +
          'Threaten with nothing, and promise nothing.',
        by.may('customers_search')
          ? 'Find the customer with customers_search before writing; ' +
              'where do_not_service or a note says more, say so beside the draft.'
          : null,
        'No tool sends messages or takes payments: ' +
          'give the drafts to the person, who sends them from the page of the invoice. Change no status.',
        'If nothing is overdue, say so.',
      ),
    )
  },
})
