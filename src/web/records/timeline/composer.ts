import { button } from '../../../platform/html/parts/button.ts'
import { hidden, type Option } from '../../../platform/html/parts/field.ts'
import { attribute, html, when, type Html } from '../../../platform/html/html.ts'
import { say } from '../../../platform/i18n/say.ts'
import { mayWriteMessages } from '../../../messaging/inbox/rights.ts'
import { newId } from '../../../platform/validation/id.ts'
import { phone as formatPhone } from '../../../records/format/formats.ts'
import type { SubjectType } from '../../../records/notes/index.ts'
import type { MemberContext } from '../../member_context.ts'

/** Form on a record's page. It posts to the same URL as the item's own page. */
type ComposerForm = { name: 'note' | 'message' | 'job'; label: string; form: Html }

/** Draws the forms behind tabs that work without scripts, the first one open; nothing without forms. */
export const composerHtml = (forms: readonly ComposerForm[]): Html | '' =>
  when(
    forms.length > 0,
    () => html`
<div class="composer">${when(
      forms.length > 1,
      () => html`
  <fieldset><legend class="unseen">${say`Write`}</legend>${forms.map(
    ({ name, label }, i) =>
      html`<label><input class="unseen" type="radio" name="write" value="${name}"${attribute('checked', i === 0)}
        ><span>${label}</span></label>`,
  )}</fieldset>`,
    )}${forms.map(
      ({ name, form }) => html`
  <div class="writing ${name}">${form}</div>`,
    )}
</div>`,
  )

/** Returns the note form of a record, for members who may write notes. */
export function noteForm(context: MemberContext, type: SubjectType, id: string): ComposerForm[] {
  if (!context.may('read:notes') || !context.may('write:notes')) return []
  return [
    {
      name: 'note',
      label: say`Note`,
      form: html`
<form class="form" method="post" action="${context.path('notes', 'new')}">${hidden('subject_type', type)}${hidden(
        'subject_id',
        id,
      )}${hidden('idempotency_key', newId())}
  ${textHtml('note-body', say`Write a note`)}
  <p class="actions">${button({ label: say`Save note` })}</p>
</form>`,
    },
  ]
}

type Recipient = {
  first_name: string | null
  last_name: string | null
  phone: string | null
  email: string | null
  sms_opt_out: boolean
  email_opt_out: boolean
}

type MessageDraft = { customer: string; contacts: readonly Recipient[]; isMailFirst: boolean; back: string }

/** Returns the message form of a customer, for members who may message them, if there is an address. */
export function messageForm(
  context: MemberContext,
  { customer, contacts, isMailFirst, back }: MessageDraft,
): ComposerForm[] {
  const recipients = contacts.flatMap(recipientsOf)
  const addresses = [...new Map(recipients.map((one) => [one.value, one])).values()].toSorted(
    (a, b) =>
      Number(b.value.startsWith('email:') === isMailFirst) - Number(a.value.startsWith('email:') === isMailFirst),
  )
  if (addresses.length === 0 || !mayWriteMessages(context)) return []
  return [
    {
      name: 'message',
      label: say`Message`,
      form: html`
<form class="form" method="post" action="${context.path('messages', 'with', customer, 'send')}">${hidden('back', back)}
  <div class="pair"><div class="field"><label for="message-to">${say`To`}</label><select id="message-to"
    name="to">${addresses.map(({ value, label }) => html`<option value="${value}">${label}</option>`)}</select></div>
  <div class="field subject"><label for="message-subject">${say`Subject`}</label><input id="message-subject"
    name="subject" maxlength="250" autocomplete="off"></div></div>
  ${textHtml('message-body', say`Write a message`)}
  <p class="actions">${button({ label: say`Send` })}</p>
</form>`,
    },
  ]
}

/** Returns a contact's addresses, except those that opted out. */
function recipientsOf({ first_name, last_name, phone, email, sms_opt_out, email_opt_out }: Recipient): Option[] {
  const name = [first_name, last_name].filter(Boolean).join(' ')
  const withName = (address: string): string => (name === '' ? address : `${name}, ${address}`)
  return [
    ...(phone === null || sms_opt_out
      ? []
      : [{ value: `sms:${phone}`, label: say`Text ${withName(formatPhone(phone))}` }]),
    ...(email === null || email_opt_out ? [] : [{ value: `email:${email}`, label: say`Email ${withName(email)}` }]),
  ]
}

/** Returns a short job form for a customer. The full form has the other fields. */
export function jobForm(
  context: MemberContext,
  customer: string,
  locations: readonly { id: string; name: string | null; address_line1: string; type: string }[],
): ComposerForm[] {
  if (!context.may('read:jobs') || !context.may('write:jobs')) return []
  const serviceLocations = locations.filter(({ type }) => type === 'service')
  const there = context.path('jobs', 'new')
  return [
    {
      name: 'job',
      label: say`Job`,
      form: html`
<form class="form" method="post" action="${there}">${hidden('customer_id', customer)}
  <input type="hidden" name="idempotency_key" value="${newId()}">${hidden(
    'onward',
    context.path('customers', customer),
  )}
  <div class="field"><label for="job-title">${say`What needs to be done?`}</label><input id="job-title" name="title"
    maxlength="200" autocomplete="off" required></div>
  <div class="pair"><div class="field"><label for="job-start">${say`Start`}</label><input id="job-start"
    name="scheduled_start" type="datetime-local"></div>${when(
      serviceLocations.length > 1,
      () => html`
  <div class="field"><label for="job-location">${say`Location`}</label><select id="job-location"
    name="location_id">${serviceLocations.map(
      ({ id, name, address_line1 }) => html`<option value="${id}">${name ?? address_line1}</option>`,
    )}</select></div>`,
    )}</div>
  <p class="actions">${button({ label: say`Create job` })}<button class="button quiet" formmethod="get"
    formnovalidate>${say`All fields`}</button></p>
</form>`,
    },
  ]
}

const textHtml = (id: string, label: string): Html => html`
  <div class="field"><label class="unseen" for="${id}">${label}</label><textarea id="${id}" name="body" rows="2"
    placeholder="${label}" required></textarea></div>`
