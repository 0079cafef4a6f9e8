import type { Wordings } from './wording.ts'

/** Default message texts, used until a company writes its own. */
export const en: Wordings = {
  quote_sent: {
    email: {
      subject: 'Quote {number} from {company_name}',
      body: `Hi {customer_first_name},

Thank you for contacting us. Here is our quote {number} for {work}: {total}, good until {valid_until}.

Review it and reply here:
{link}

Any questions? Just reply to this email.

{company_name}`,
    },
    sms: { body: 'Hi {customer_first_name}, this is {company_name}. Your quote {number} for {total} is ready: {link}' },
  },
  quote_unanswered: {
    email: {
      subject: 'Your quote {number} from {company_name}',
      body: `Hi {customer_first_name},

We sent you quote {number} for {work} and want to make sure you received it. The total is {total}, and it is good until {valid_until}.

Accept it or ask us a question here:
{link}

{company_name}`,
    },
    sms: {
      body:
        'Hi {customer_first_name}, {company_name} here. Any questions about quote {number} for {work}? ' +
        'View it and reply: {link}',
    },
  },
  visit_booked: {
    email: {
      subject: 'Your visit on {visit_day}',
      body: `Hi {customer_first_name},

Your appointment is confirmed: {work}.

When: {visit_day}, {visit_time}
Where: {address}

Need another time? Tell us here:
{link}

See you then,
{company_name}`,
    },
    sms: { body: '{company_name}: you are booked for {visit_day}, {visit_time}, {work}. Need another time? {link}' },
  },
  visit_tomorrow: {
    email: {
      subject: 'Reminder: your visit on {visit_day}',
      body: `Hi {customer_first_name},

This is a reminder of your visit: {work}.

When: {visit_day}, {visit_time}
Where: {address}
Who: {technician}

Need another time? Tell us here:
{link}

{company_name}`,
    },
    sms: { body: '{company_name}: see you on {visit_day}, {visit_time}, for {work}. Need another time? {link}' },
  },
  on_my_way: {
    email: {
      subject: 'On the way: {technician}',
      body: `Hi {customer_first_name},

{company_name} is on the way to {address} and should be with you in {arrival}.

Who: {technician}

{company_name}`,
    },
    sms: {
      body: 'Hi {customer_first_name}, {company_name} is on the way ({technician}) and should be with you in {arrival}.',
    },
  },
  running_late: {
    email: {
      subject: 'Your visit is running late',
      body: `Hi {customer_first_name},

We are running late and expect to be with you {arrival} later than planned. We are sorry for the wait.

Who: {technician}

Does this time no longer work for you? Just reply.

{company_name}`,
    },
    sms: {
      body:
        'Hi {customer_first_name}, {company_name} is running late ({technician}) and expects to be with you ' +
        '{arrival} later than planned. Sorry for the wait.',
    },
  },
  invoice_sent: {
    email: {
      subject: 'Invoice {number} from {company_name}',
      body: `Hi {customer_first_name},

Thank you for your business. Here is invoice {number}: {balance}, due {due_date}.

View it and pay here:
{link}

Any questions? Just reply to this email.

{company_name}`,
    },
    sms: {
      body:
        'Hi {customer_first_name}, your invoice {number} from {company_name} is ready: ' +
        '{balance}, due {due_date}. View it and pay: {link}',
    },
  },
  invoice_due_soon: {
    email: {
      subject: 'Invoice {number} is due {due_date}',
      body: `Hi {customer_first_name},

A friendly reminder that invoice {number} is due {due_date}. The balance is {balance}.

View it and pay here:
{link}

Already paid? Thank you. Please disregard this message.

{company_name}`,
    },
    sms: {
      body: '{company_name}: a reminder that invoice {number} ({balance}) is due {due_date}. View it and pay: {link}',
    },
  },
  invoice_due: {
    email: {
      subject: 'Invoice {number} is due today',
      body: `Hi {customer_first_name},

Invoice {number} is due today. The balance is {balance}.

View it and pay here:
{link}

Already paid? Thank you. Please disregard this message.

{company_name}`,
    },
    sms: { body: '{company_name}: invoice {number} ({balance}) is due today. View it and pay: {link}' },
  },
  invoice_overdue: {
    email: {
      subject: 'Invoice {number} is past due',
      body: `Hi {customer_first_name},

Invoice {number} was due {due_date}, and {balance} is still unpaid. It may have slipped your mind.

View it and pay here:
{link}

If something isn't right, reply and we will sort it out.

{company_name}`,
    },
    sms: {
      body:
        '{company_name}: invoice {number} was due {due_date}, and {balance} is still unpaid. ' +
        'View it and pay: {link}',
    },
  },
  invoice_overdue_again: {
    email: {
      subject: 'Second notice: invoice {number} is past due',
      body: `Hi {customer_first_name},

We have not received your payment for invoice {number}, which was due {due_date}. The balance is {balance}.

Please pay it here, or call us to make arrangements:
{link}

{company_name}`,
    },
    sms: {
      body:
        '{company_name}: invoice {number}, due {due_date}, is still unpaid ({balance}). ' +
        'Please pay or call us: {link}',
    },
  },
  payment_receipt: {
    email: {
      subject: 'Receipt for invoice {number}',
      body: `Hi {customer_first_name},

Thank you. We received {amount_paid} for invoice {number}. {balance_note}

Your invoice is here:
{link}

{company_name}`,
    },
    sms: { body: '{company_name}: thank you, we received {amount_paid} for invoice {number}. {balance_note} {link}' },
  },
  statement: {
    email: {
      subject: 'Your statement of {statement_day}',
      body: `Hi {customer_first_name},

Your statement is attached. Your balance on {statement_day} is {balance}.

Your open invoices are here:
{link}

{company_name}`,
    },
    sms: { body: '{company_name}: your balance on {statement_day} is {balance}. Your open invoices: {link}' },
  },
  autopay_coming: {
    email: {
      subject: 'Invoice {number} will be paid automatically on {due_date}',
      body: `Hi {customer_first_name},

On {due_date} we will charge {balance} for invoice {number} to your saved card or bank account.

You don't need to do anything.

See the invoice, or change or stop automatic payments here:
{link}

{company_name}`,
    },
    sms: {
      body:
        '{company_name}: on {due_date} we will charge {balance} for invoice {number} to your saved card or account. ' +
        'See or stop it: {link}',
    },
  },
  autopay_failed: {
    email: {
      subject: "Your automatic payment for invoice {number} didn't go through",
      body: `Hi {customer_first_name},

We could not charge {balance} for invoice {number} to the card or bank account that you saved. Nothing was charged.

Please pay here, or save another card or account:
{link}

{company_name}`,
    },
    sms: {
      body:
        "{company_name}: your automatic payment of {balance} for invoice {number} didn't go through. " +
        'Pay or save another card: {link}',
    },
  },
  plan_ending: {
    email: {
      subject: 'Your {plan_name} ends {end_date}',
      body: `Hi {customer_first_name},

Your {plan_name} with us ends {end_date}. Would you like to renew it? Just reply, and we will take care of it.

{company_name}`,
    },
    sms: {
      body:
        'Hi {customer_first_name}, your {plan_name} with {company_name} ends {end_date}. ' +
        'Would you like to renew it? Just reply.',
    },
  },
}
