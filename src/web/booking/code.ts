import { takeAttempt } from '../../identity/sign_in/attempts.ts'
import { timingSafeEqual } from 'node:crypto'
import { readContact, type BookingContact } from '../../customer_portal/booking/contact.ts'
import { digestCode, makeCode, nextStep, signStep } from '../../customer_portal/booking/step_token.ts'
import { sendCode } from '../../messaging/notices/booking_notices.ts'
import { canSend } from '../../messaging/outbox/senders/senders.ts'
import { button } from '../../platform/html/parts/button.ts'
import { field, hidden } from '../../platform/html/parts/field.ts'
import { html } from '../../platform/html/html.ts'
import { redirect } from '../../platform/http/answer.ts'
import { readFormFields } from '../../platform/http/form.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { invalidField, Refusal } from '../../platform/errors/refusal.ts'
import { refusals } from '../../customer_portal/booking/refusals.ts'
import { holdTime } from '../../scheduling/holds.ts'
import { phone } from '../../records/format/formats.ts'
import { bookingPage, tooManyAttemptsPage, type BookingContext } from './booking_context.ts'
import { bookChosenTime } from './book_chosen.ts'
import { findChosenTime, summaryHtml, type ChosenTime } from './chosen_time.ts'
import { answerRefusal } from './details_page.ts'

/** Maximum codes sent to one address, and requested by one network address, in 15 minutes. */
const MAX_CODES_TO_ADDRESS = 3
const MAX_CODES = 10
/** Maximum attempts per code. */
const MAX_TRIES = 5
const MAX_BYTES = 16 * 1024

/** Form fields carried over to the code page. */
const CARRIED_FIELDS = [
  'name',
  'phone',
  'email',
  'address_line1',
  'city',
  'region',
  'postal_code',
  'answer_0',
  'answer_1',
  'answer_2',
]

type CodeAddress = { channel: 'email' | 'sms'; to: string }

/** Sends a code to the email address, or else to the phone, and asks for it. */
export async function sendCodePage(
  context: BookingContext,
  chosen: ChosenTime,
  sent: URLSearchParams,
  contact: BookingContact,
): Promise<Response> {
  const address = await addressFor(context, contact)
  const wait = await takeAttempt(context.site.database, [
    { subject: `booking code to ${address.to}`, max: MAX_CODES_TO_ADDRESS },
    { subject: `booking codes of ${context.clientAddress}`, max: MAX_CODES },
  ])
  if (wait > 0) return tooManyAttemptsPage(wait)
  const code = makeCode()
  await context.write((db) => sendCode(db, { ...address, code, company: context.company.name }))
  const { secret } = context.page
  const step = nextStep(chosen.step, { step: 'code', code: digestCode(secret, chosen.step.id, code, address.to) })
  const { start } = chosen.step
  return codePage(context, { ...chosen, step: { ...step, start }, token: signStep(secret, step) }, sent, address)
}

/** Returns the address for a code; throws if no channel can send. */
async function addressFor(context: BookingContext, { email, phone }: BookingContact): Promise<CodeAddress> {
  const { senders } = context.site
  const [canEmail, canText] = await context.read((db) =>
    Promise.all([canSend(db, senders, 'email'), canSend(db, senders, 'sms')]),
  )
  if (email !== null && canEmail) return { channel: 'email', to: email }
  if (phone !== null && canText) return { channel: 'sms', to: phone }
  throw invalidField(canEmail ? 'email' : 'phone', refusals.contactMissing())
}

/** Books once the code is right; one transaction holds the time and books it. */
export async function confirmCode(context: BookingContext, request: PageRequest): Promise<Response> {
  const sent = await readFormFields(request.req.raw, MAX_BYTES)
  const chosen = findChosenTime(context, sent.get('t') ?? '', 'code')
  if (chosen === undefined) return redirect(context.path())
  const { step, service } = chosen
  const wait = await takeAttempt(context.site.database, [
    { subject: `booking code ${step.code ?? ''}`, max: MAX_TRIES },
  ])
  if (wait > 0) return tooManyAttemptsPage(wait)
  try {
    const contact = readContact(sent, service, context.company.country)
    const address = await addressFor(context, contact)
    if (!isCorrectCode(context, chosen, (sent.get('code') ?? '').replaceAll(/\D/g, ''), address.to))
      return codePage(context, chosen, sent, address, say`This code isn’t right. Check it and try again.`)
    return await bookChosenTime(context, chosen, contact, (db) =>
      holdTime(db, context.company.timezone, {
        id: step.id,
        start: step.start,
        minutes: service.minutes,
        skills: service.skills,
      }),
    )
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const details = { ...step, step: 'details', code: undefined } as const
    return answerRefusal(
      context,
      { ...chosen, step: details, token: signStep(context.page.secret, details) },
      sent,
      error,
    )
  }
}

function isCorrectCode({ page }: BookingContext, { step }: ChosenTime, code: string, to: string): boolean {
  const [entered, stored] = [Buffer.from(digestCode(page.secret, step.id, code, to)), Buffer.from(step.code ?? '')]
  return entered.length === stored.length && timingSafeEqual(entered, stored)
}

function codePage(
  context: BookingContext,
  chosen: ChosenTime,
  sent: URLSearchParams,
  { channel, to }: CodeAddress,
  error?: string,
): Response {
  return bookingPage(context, {
    title: say`Confirm it’s you`,
    status: error === undefined ? 200 : 422,
    body: html`
<h1>${say`Confirm it’s you`}</h1>
${summaryHtml(context, chosen)}
<p class="lead">${say`We sent a code to ${channel === 'sms' ? phone(to) : to}.`}</p>
<form class="form" method="post" action="${context.path('code')}" novalidate>
  ${hidden('t', chosen.token)}${CARRIED_FIELDS.map((name) => (sent.has(name) ? hidden(name, sent.get(name) ?? '') : ''))}
  ${field({
    name: 'code',
    label: say`Code`,
    keys: 'numeric',
    autocomplete: 'one-time-code',
    isRequired: true,
    isFocused: true,
    error,
  })}
  <p class="actions">${button({
    label: context.page.needs_approval ? say`Request this visit` : say`Book this visit`,
    kind: 'main',
  })}</p>
</form>`,
  })
}
