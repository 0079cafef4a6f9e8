import { linkButton } from '../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { say } from '../../platform/i18n/say.ts'
import { paymentsPart } from '../settings/company/payments_part.ts'
import type { StepView } from './step_page.ts'

/** Draws what customers are written, and where the senders are set up. */
export const drawMessages = ({ context }: StepView): Html => html`
  <p>${say`Quotes, invoices, reminders and "on my way" texts go out in your words.`}
    ${say`This service’s administrator connects the mail server and the texting account.`}</p>
  <p class="actions">${linkButton(say`Numbers and mailboxes`, context.path('settings', 'places'))}${linkButton(
    say`Edit message templates`,
    context.path('settings', 'messages'),
  )}</p>`

/** Draws the account that card payments go to. */
export const drawPayments = ({ site, context }: StepView): Promise<Html | ''> => paymentsPart(site, context)

/** Draws where people are invited. */
export const drawTeam = ({ context }: StepView): Html => html`
  <p>${say`Technicians get their day on the phone, with or without a connection.`}
    ${say`You decide what each person sees and changes.`}</p>
  <p class="actions">${linkButton(say`Invite your team`, context.path('settings', 'members'), 'main')}</p>`

/** Draws the ways in which customers come: one by one, or all from a file. */
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
