import { linkButton } from '../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { say } from '../../platform/i18n/say.ts'
import { paymentsPart } from '../settings/company/payments_part.ts'
import type { StepView } from './step_page.ts'

/** Renders the message step: what customers receive, and where to set up senders. */
export const drawMessages = ({ context }: StepView): Html => html`
  <p>${say`Quotes, invoices, reminders and "on my way" texts go out in your words.`}
    ${say`This service’s administrator connects the mail server and the texting account.`}</p>
  <p class="actions">${linkButton(say`Numbers and mailboxes`, context.path('settings', 'places'))}${linkButton(
    say`Edit message templates`,
    context.path('settings', 'messages'),
  )}</p>`

/** Renders the account that receives card payments. */
export const drawPayments = ({ site, context }: StepView): Promise<Html | ''> => paymentsPart(site, context)

/** Renders the invitation step. */
export const drawTeam = ({ context }: StepView): Html => html`
  <p>${say`Technicians get their day on the phone, with or without a connection.`}
    ${say`You decide what each person sees and changes.`}</p>
  <p class="actions">${linkButton(say`Invite your team`, context.path('settings', 'members'), 'main')}</p>`

/** Renders the ways to add customers: one by one, or from a file. */
export const drawCustomers = ({ context }: StepView): Html => html`
  <p>${say`Import customers, items and open work from Jobber, Housecall Pro, ServiceTitan or QuickBooks.`}
    ${say`You see what will happen first, and can undo it.`}</p>
  <p class="actions">${linkButton(say`Import a file`, context.path('settings', 'import'))}${linkButton(
    say`Add a customer`,
    context.path('customers', 'new'),
    'main',
  )}</p>`

export const drawAssistant = ({ context }: StepView): Html => html`
  <p>${say`By default an assistant proposes, and you approve.`}
    ${say`You see every change it made, and can undo it.`}</p>
  <p class="actions">${linkButton(say`How to connect`, '/docs', 'main')}${when(context.hasAssistant, () =>
    linkButton(say`Open the assistant`, context.path('assistant')),
  )}</p>`
