import { DATA_ONLY, accountTexts } from './account_data.ts'
import { paragraphs, prompt, steps } from './prompt.ts'

export const chaseOverdue = prompt({
  name: 'chase-overdue-invoices',
  title: 'Chase overdue invoices',
  scopes: ['read:invoices'],
  tools: ['invoices_list'],
  description: 'Drafts a reminder for each customer with overdue invoices, for a person to send.',
  input: {},
  completes: {},
  async write(by) {
    return paragraphs(
      'Draft reminders for the overdue invoices below, one for each customer.',
      DATA_ONLY,
      accountTexts(await by.overview('callout://receivables')),
      steps(
        'Start with the customers who owe the most for the longest. ' +
          'Put all invoices of one customer into one reminder, with number, due date and amount owed.',
        'Write three sentences: friendly up to 30 days late, direct after that. Make no threats and no promises.',
        by.may('customers_search')
          ? 'Find the customer with customers_search before you write; ' +
              'if do_not_service is true or a note matters here, say so next to the draft.'
          : null,
        'No tool sends messages or takes payments: ' +
          "give the drafts to the person, who sends them from the invoice's page. Don't change any status.",
        'If nothing is overdue, say so.',
      ),
    )
  },
})
