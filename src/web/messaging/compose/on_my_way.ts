import { pageResponse } from '../../../platform/http/answer.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { hidden } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { sayHtml } from '../../../platform/html/say_html.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { languageOf } from '../../../platform/i18n/reader.ts'
import { say } from '../../../platform/i18n/say.ts'
import { findObjection } from '../../../messaging/outbox/consent.ts'
import { canSend } from '../../../messaging/outbox/senders/senders.ts'
import { Refusal, conflict } from '../../../platform/errors/refusal.ts'
import { phone } from '../../../records/format/formats.ts'
import { localAddress } from '../../../records/page/contact_links.ts'
import type { Db } from '../../../platform/db/tenant.ts'
import { placeholderValues } from '../../../messaging/templates/placeholder_values.ts'
import {
  findSubjectRecord,
  lockSubjectRecord,
  type SubjectRecord,
} from '../../../messaging/templates/subject_record.ts'
import { fillPlaceholders } from '../../../messaging/templates/placeholders.ts'
import { queueDraft } from '../../../messaging/templates/queue_draft.ts'
import { listRecipients, type Recipient } from '../../../messaging/templates/recipients.ts'
import { findMessageTemplate, type MessageText } from '../../../messaging/templates/templates.ts'
import { newId } from '../../../platform/validation/id.ts'
import { requireMemberContext, type MemberContext } from '../../member_context.ts'
import { statusOf } from '../../faults.ts'
import { frame } from '../../frame.ts'
import { notFoundRefusal } from '../../not_found.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import type { Site } from '../../site.ts'
import { readIdempotencyKey } from './messages.ts'
import { runOnce } from './run_once.ts'
import { refusalNotice } from '../../refusal_notice.ts'

/** Choices of minutes until arrival. */
const ARRIVAL_MINUTES = [15, 30, 45, 60] as const

/** Statuses in which a technician may leave for the visit, or update the arrival time. */
const OPEN_STATUSES: ReadonlySet<string> = new Set(['scheduled', 'on_hold', 'en_route'])

type OnMyWayDraft = {
  record: SubjectRecord
  /** Text and its recipient, or the reason why there is none. */
  text: { to: Recipient; template: MessageText } | { none: string }
}

/** Shows the text to the customer, and asks for the arrival time. */
export async function showOnMyWay(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireCrew(site, request)
  return pageResponse(page(context, await readDraft(site, context, request.req.param('id')!)))
}

/** Sets the visit to en route and texts the customer, in one transaction. The idempotency key prevents a repeat. */
export async function sendOnMyWay(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireCrew(site, request)
  const form = await readFormFields(request.req.raw)
  const id = request.req.param('id')!
  const minutes = ARRIVAL_MINUTES.find((one) => String(one) === form.get('minutes'))
  try {
    await context.write((db) => {
      requireWriteAccess(context)
      return runOnce(
        db,
        { caller: context.caller, action: 'jobs.on_my_way', id, key: readIdempotencyKey(form) },
        async () => {
          const before = await lockSubjectRecord(db, 'jobs', id)
          requireOpen(before)
          if (before.status !== 'en_route') await context.within(db, 'jobs_update', { id, status: 'en_route' })
          if (minutes !== undefined)
            await sendText(site, context, db, { ...before, crew: crewFor(context, before) }, minutes)
        },
      )
    })
    return redirectWithMessage(context.path('jobs', id), {
      sentence:
        minutes === undefined
          ? say`You are on the way. The customer was not texted.`
          : say`You are on the way, and the customer gets a text: about ${minutes} minutes.`,
    })
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'not_found') throw error
    return pageResponse(page(context, await readDraft(site, context, id), error), { status: statusOf(error) })
  }
}

async function requireCrew(site: Site, request: PageRequest): Promise<MemberContext> {
  const context = await requireMemberContext(site, request)
  requireWriteAccess(context)
  return context
}

function requireWriteAccess(context: MemberContext): void {
  if (!context.may('write:jobs')) throw notFoundRefusal()
}

function requireOpen({ number, status, starts_at }: SubjectRecord): void {
  const name = number ?? ''
  if (status === 'cancelled') throw conflict(say`${name}: the visit is canceled.`)
  if (starts_at === null) throw conflict(say`${name} has no time yet. Schedule it first.`)
  if (!OPEN_STATUSES.has(status)) throw conflict(say`${name} has already started.`)
}

const readDraft = (site: Site, context: MemberContext, id: string): Promise<OnMyWayDraft> =>
  context.read(async (db) => {
    const record = await findSubjectRecord(db, 'jobs', id)
    return { record: { ...record, crew: crewFor(context, record) }, text: await textFor(site, context, db, record) }
  })

/** Returns the crew on the way: only this person if they are in the crew, otherwise all of it. */
const crewFor = ({ user }: MemberContext, { crew }: SubjectRecord): SubjectRecord['crew'] => {
  const own = crew.filter(({ user_id }) => user_id === user.id)
  return own.length > 0 ? own : crew
}

async function textFor(
  site: Site,
  context: MemberContext,
  db: Db,
  record: SubjectRecord,
): Promise<OnMyWayDraft['text']> {
  if (!(await canSend(db, site.senders, 'sms'))) return { none: say`No sender of text messages is set up.` }
  const recipients = await listRecipients(db, record, 'sms')
  if (recipients.length === 0) return { none: say`The customer has no phone number.` }
  for (const to of recipients.slice(0, MAX_TRIED)) {
    if ((await findObjection(db, { channel: 'sms', to: to.address, by: context.user.id })) !== undefined) continue
    const template = await findMessageTemplate(db, {
      kind: 'on_my_way',
      channel: 'sms',
      language: languageOf(record.language),
    })
    return { to, template }
  }
  return { none: say`The customer doesn’t want texts.` }
}

const MAX_TRIED = 10

async function sendText(
  site: Site,
  context: MemberContext,
  db: Db,
  record: SubjectRecord,
  minutes: number,
): Promise<void> {
  const text = await textFor(site, context, db, record)
  if ('none' in text) throw conflict(text.none)
  await queueDraft(
    db,
    record,
    {
      kind: 'on_my_way',
      channel: 'sms',
      to: text.to.address,
      toName: text.to.name,
      firstName: text.to.firstName,
      subject: '',
      body: text.template.body,
      hasPdf: false,
      minutes,
    },
    { baseUrl: site.baseUrl, cause: 'on_my_way', by: context.user.id },
  )
}

function page(context: MemberContext, { record, text }: OnMyWayDraft, refusal?: Refusal): Html {
  const recordPath = context.path('jobs', record.id)
  return frame(context, {
    title: say`On my way`,
    here: context.path('jobs'),
    width: 'narrow',
    styles: ['sending.css'],
    body: html`
<section class="ticket">
  <p class="eyebrow">${record.number ?? ''} ${record.work ?? ''}</p>
  <h1>${say`On my way`}</h1>
  <p class="lead">${record.customer_name}${when(
    record.address,
    (address) => html`<br>${localAddress(address, context.company.country)}`,
  )}</p>${when(refusal, refusalNotice)}
  <form class="form" method="post" action="${recordPath}/on-my-way">${hidden('idempotency_key', newId())}
    ${'none' in text ? withoutText(text.none) : withText(context, record, text)}
    <p class="actions">${linkButton(say`Cancel`, recordPath, 'quiet')}</p>
  </form>
</section>`,
  })
}

const withoutText = (reason: string): Html => html`
<p>${reason} ${say`Only the status of the visit changes.`}</p>
<p class="actions">${button({ label: say`On my way`, kind: 'main' })}</p>`

const withText = (
  context: MemberContext,
  record: SubjectRecord,
  { to, template }: Extract<OnMyWayDraft['text'], { to: Recipient }>,
): Html => html`
<p class="help">${
  context.may('read:customers')
    ? sayHtml`This text goes to ${to.name}, ${html`<span class="one-line">${phone(to.address)}</span>`}:`
    : say`This text goes to ${to.name}:`
}</p>
<p class="bubble">${fillPlaceholders(template.body, {
  ...placeholderValues(record, { firstName: to.firstName }),
  arrival: say`about ${'…'} minutes`,
})}</p>
<fieldset class="arrivals">
  <legend>${say`I'll be there in about`}</legend>
  <div>${ARRIVAL_MINUTES.map((minutes) =>
    button({ label: say`${minutes} min`, name: 'minutes', value: String(minutes) }),
  )}</div>
</fieldset>
<p class="actions">${button({ label: say`Don't text the customer`, name: 'minutes', value: 'none' })}</p>`
