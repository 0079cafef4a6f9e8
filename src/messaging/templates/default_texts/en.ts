import type { Wordings } from './wording.ts'

/** Holds the words that messages have until a company writes its own. */
export const en: Wordings = {
  quote_sent: {
    email: {
      subject: 'Quote {number} from {company_name}',
      body: `Hi {customer_first_name},

Thank you for asking us. Here is our quote {number} for {work}: {total}, good until {valid_until}.

Look it over and answer here:
{link}

Any questions? Just reply to this e-mail.

{company_name}`,
    },
    sms: { body: 'Hi {customer_first_name}, this is {company_name}. Your quote {number} for {total} is ready: {link}' },
  },
  quote_unanswered: {
    email: {
      subject: 'Your quote {number} from {company_name}',
      body: `Hi {customer_first_name},

We sent you quote {number} for {work} and wanted to make sure that it reached you. It comes to {total} and is good until {valid_until}.

You can accept it, or ask us anything, here:
{link}

{company_name}`,
    },
    sms: {
      body: 'Hi {customer_first_name}, {company_name} here. Any questions about quote {number} for {work}? See it and answer: {link}',
    },
  },
  visit_booked: {
    email: {
      subject: 'Your visit on {visit_day}',
      body: `Hi {customer_first_name},

You are booked: {work}.

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

A short reminder of your visit: {work}.

When: {visit_day}, {visit_time}
Where: {address}
Who: {technician}

If that no longer suits you, let us know here:
{link}

{company_name}`,
    },
    sms: { body: '{company_name}: see you on {visit_day}, {visit_time}, for {work}. Not a good time? {link}' },
  },
  on_my_way: {
    email: {
      subject: '{technician} is on the way',
      body: `Hi {customer_first_name},

{technician} is on the way to {address} and should be with you in {arrival}.

{company_name}`,
    },
    sms: {
      body: 'Hi {customer_first_name}, {technician} from {company_name} is on the way and should be with you in {arrival}.',
    },
  },
  running_late: {
    email: {
      subject: '{technician} is running late',
      body: `Hi {customer_first_name},

{technician} is held up and expects to be with you {arrival} later than planned. We are sorry for the wait.

Does that no longer suit you? Just reply.

{company_name}`,
    },
    sms: {
      body: 'Hi {customer_first_name}, {technician} from {company_name} is held up and expects to be with you {arrival} later than planned. Sorry for the wait.',
    },
  },
  invoice_sent: {
    email: {
      subject: 'Invoice {number} from {company_name}',
      body: `Hi {customer_first_name},

Thank you for your business. Here is invoice {number}: {balance}, due {due_date}.

See it and pay here:
{link}

Any questions? Just reply to this e-mail.

{company_name}`,
    },
    sms: {
      body: 'Hi {customer_first_name}, your invoice {number} from {company_name} is ready: {balance}, due {due_date}. See it and pay: {link}',
    },
  },
  invoice_due_soon: {
    email: {
      subject: 'Invoice {number} is due {due_date}',
      body: `Hi {customer_first_name},

A friendly reminder that invoice {number} is due {due_date}. {balance} is open.

See it and pay here:
{link}

Already paid? Then thank you, and please disregard this note.

{company_name}`,
    },
    sms: {
      body: '{company_name}: a reminder that invoice {number} ({balance}) is due {due_date}. See it and pay: {link}',
    },
  },
  invoice_due: {
    email: {
      subject: 'Invoice {number} is due today',
      body: `Hi {customer_first_name},

Invoice {number} is due today. {balance} is open.

See it and pay here:
{link}

Already paid? Then thank you, and please disregard this note.

{company_name}`,
    },
    sms: { body: '{company_name}: invoice {number} ({balance}) is due today. See it and pay: {link}' },
  },
  invoice_overdue: {
    email: {
      subject: 'Invoice {number} is past due',
      body: `Hi {customer_first_name},

Invoice {number} was due {due_date}, and {balance} is still open. It may just have slipped by.

See it and pay here:
{link}

If something isn't right, reply and we will sort it out.

{company_name}`,
    },
    sms: {
      body: '{company_name}: invoice {number} was due {due_date}, and {balance} is still open. See it and pay: {link}',
    },
  },
  invoice_overdue_again: {
    email: {
      subject: 'Second notice: invoice {number} is past due',
      body: `Hi {customer_first_name},

We have not received your payment for invoice {number}, which was due {due_date}. {balance} is open.

Please pay it here, or call us so that we can find a way:
{link}

{company_name}`,
    },
    sms: {
      body: '{company_name}: invoice {number}, due {due_date}, is still unpaid ({balance}). Please pay or call us: {link}',
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
  plan_ending: {
    email: {
      subject: 'Your {plan_name} ends {end_date}',
      body: `Hi {customer_first_name},

Your {plan_name} with us ends {end_date}. Would you like to go on? Just reply, and we will take care of it.

{company_name}`,
    },
    sms: {
      body: 'Hi {customer_first_name}, your {plan_name} with {company_name} ends {end_date}. Would you like to go on? Just reply.',
    },
  },
}
