import { answer } from '../../../platform/http/answer.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { checkbox, field, hidden, textArea } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { LANGUAGES, type Language } from '../../../platform/i18n/reader.ts'
import { say } from '../../../platform/i18n/say.ts'
import { queueMessage } from '../../../messaging/outbox/queue.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { part } from '../../../records/page/parts.ts'
import { fillPlaceholders, formatPlaceholder } from '../../../messaging/templates/placeholders.ts'
import {
  CHANNELS,
  MESSAGE_KINDS,
  isMessageKind,
  listPlaceholders,
  type MessageChannel,
  type MessageKind,
} from '../../../messaging/templates/kinds.ts'
import {
  listOwnTemplates,
  parseTemplate,
  resetTemplate,
  saveTemplate,
  findMessageTemplate,
  type TemplateKey,
} from '../../../messaging/templates/templates.ts'
import { setDelayNotices, hasDelayNotices } from '../../../messaging/reminders/late.ts'
import { eventMailSettings, setEventMail, type EventMail } from '../../../messaging/notices/notice_tasks.ts'
import { setQuoteNotices, hasQuoteNotices } from '../../../messaging/notices/notices.ts'
import { previewMessage, type Preview } from '../../../messaging/templates/preview.ts'
import { frame } from '../../frame.ts'
import type { MemberContext } from '../../member_context.ts'
import { notFoundPage } from '../../not_found.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import { statusOf } from '../../faults.ts'
import { errorOf } from '../../messaging/compose/problems.ts'
import { linkPlaceholder, segmentsText } from '../../messaging/compose/segments.ts'
import type { Site } from '../../site.ts'
import { kindDescription, kindName } from './message_names.ts'
import { requireOwner, settingsPage } from '../settings_page.ts'
import { refusalForPeople } from '../../../platform/i18n/refusal_for_people.ts'

/** Lists the messages that a company sends, and which of them are in its own words. */
export async function showMessages(site: Site, visit: PageRequest): Promise<Response> {
  const context = await requireOwner(site, visit)
  const [own, wants, delays, events] = await context.read((db) =>
    Promise.all([listOwnTemplates(db), hasQuoteNotices(db), hasDelayNotices(db), eventMailSettings(db)]),
  )
  return settingsPage(
    context,
    'messages',
    say`Messages`,
    html`
<p class="lead">${say`The messages that go out with your quotes, visits and invoices. Edit them to sound like you.`}</p>
<div class="part"><ul class="message-kinds">${MESSAGE_KINDS.map(
      (kind) => html`
  <li><a href="${context.path('settings', 'messages', kind)}"><b>${kindName(kind)}</b><span class="help">${kindDescription(kind)}</span></a>${when(
    own.some((one) => one.kind === kind),
    () => html`<span class="status active">${say`Your template`}</span>`,
  )}</li>`,
    )}
</ul></div>
${part(
  say`When a technician runs late`,
  html`
  <form class="form" method="post" action="${context.path('settings', 'messages')}">${hidden('about', 'delays')}
    ${checkbox({ name: 'late_customers', label: say`Let technicians notify the next customers`, isChecked: delays, help: say`Each visit of the day that hasn't begun gets one message, a text before an e-mail. Whoever wants none gets none.` })}
    <p class="actions">${button({ label: say`Save` })}</p>
  </form>`,
)}
${part(
  say`Payments`,
  html`
  <form class="form" method="post" action="${context.path('settings', 'messages')}">${hidden('about', 'money')}
    ${checkbox({ name: 'receipts', label: say`Send customers a receipt after each payment`, isChecked: events.receipts, help: say`By e-mail, or by text when there is no address.` })}
    ${checkbox({ name: 'payment_notices', label: say`E-mail us about payments and messages that didn’t arrive`, isChecked: events.payment_notices, help: say`Online payments, failures, refunds, disputes, and messages that came back.` })}
    <p class="actions">${button({ label: say`Save` })}</p>
  </form>`,
)}
${part(
  say`To you and the office`,
  html`
  <form class="form" method="post" action="${context.path('settings', 'messages')}">
    ${checkbox({ name: 'quote_answers', label: say`E-mail us when a customer answers a quote or asks something`, isChecked: wants, help: say`When they accept or decline a quote, ask a question, or ask for another time through their link. Goes to owners and to the office with access.` })}
    <p class="actions">${button({ label: say`Save` })}</p>
  </form>`,
)}`,
  )
}

/** Keeps whether the company is told of answers to quotes, or whether its customers are told of delays. */
export async function saveNotices(site: Site, visit: PageRequest): Promise<Response> {
  const context = await requireOwner(site, visit)
  const typed = await readFormFields(visit.req.raw)
  if (typed.get('about') === 'delays') return saveDelays(context, typed.has('late_customers'))
  if (typed.get('about') === 'money')
    return saveEventMail(context, { receipts: typed.has('receipts'), payment_notices: typed.has('payment_notices') })
  const wants = typed.has('quote_answers')
  await context.write((db) => setQuoteNotices(db, { user: context.user.id }, wants))
  return redirectWithMessage(context.path('settings', 'messages'), {
    sentence: wants
      ? say`Saved. Answers and questions are mailed to you.`
      : say`Saved. Answers and questions aren't mailed.`,
  })
}

async function saveEventMail(context: MemberContext, wants: EventMail): Promise<Response> {
  await context.write((db) => setEventMail(db, { user: context.user.id }, wants))
  return redirectWithMessage(context.path('settings', 'messages'), { sentence: say`Payment messages saved.` })
}

async function saveDelays(context: MemberContext, tells: boolean): Promise<Response> {
  await context.write((db) => setDelayNotices(db, { user: context.user.id }, tells))
  return redirectWithMessage(context.path('settings', 'messages'), {
    sentence: tells
      ? say`Saved. Technicians can tell customers of a delay.`
      : say`Saved. Customers aren't told of delays.`,
  })
}

/** Shows the words of one kind, by channel and language, and how they read. */
export async function showMessage(site: Site, visit: PageRequest): Promise<Response> {
  const context = await requireOwner(site, visit)
  const key = keyOf(visit.req.param('kind')!, new URL(visit.req.url).searchParams)
  if (key === undefined) return notFoundPage()
  const words = await context.read((db) => findMessageTemplate(db, key))
  return answer(await page(site, context, key, { subject: words.subject ?? '', body: words.body, isOwn: words.isOwn }))
}

type TemplateForm = { subject: string; body: string; isOwn: boolean }

/** Saves the words, shows how they would read, goes back to the default ones, or sends them to whoever asks. */
export async function changeMessage(site: Site, visit: PageRequest): Promise<Response> {
  const context = await requireOwner(site, visit)
  const sent = await readFormFields(visit.req.raw)
  const key = keyOf(visit.req.param('kind')!, sent)
  if (key === undefined) return notFoundPage()
  const typed = { subject: sent.get('subject') ?? '', body: sent.get('body') ?? '', isOwn: sent.get('own') === 'yes' }
  const by = { user: context.user.id }
  try {
    switch (sent.get('act')) {
      case 'preview':
        parseTemplate(key, typed)
        return answer(await page(site, context, key, typed))
      case 'test':
        await sendTest(site, context, key, typed, sent.get('test_to') ?? '')
        return answer(
          await page(site, context, key, typed, { said: say`The test is on its way. Your changes aren't saved yet.` }),
        )
      case 'reset':
        await context.write((db) => resetTemplate(db, by, key))
        return redirectWithMessage(pathOfKey(context, key), { sentence: say`Default template restored.` })
      default:
        await context.write((db) => saveTemplate(db, by, key, typed))
        return redirectWithMessage(pathOfKey(context, key), {
          sentence: say`Template saved. New messages use it.`,
          next: { label: say`All messages`, href: context.path('settings', 'messages') },
        })
    }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'not_found') throw error
    return answer(await page(site, context, key, typed, { refusal: error }), { status: statusOf(error) })
  }
}

/** Sends the words as they are typed to whoever looks at them. */
const sendTest = (
  site: Site,
  context: MemberContext,
  key: TemplateKey,
  typed: TemplateForm,
  to: string,
): Promise<unknown> =>
  context.write(async (db) => {
    const words = parseTemplate(key, typed)
    const { fillings } = await previewMessage(db, key, site.baseUrl, context.company.currency)
    return queueMessage(db, {
      channel: key.channel,
      to,
      toName: context.user.name,
      ...(words.subject === null ? {} : { subject: fillPlaceholders(words.subject, fillings) }),
      body: fillPlaceholders(words.body, fillings),
      about: null,
      customerId: null,
      cause: 'test',
      by: context.user.id,
    })
  })

function keyOf(kind: string, asked: URLSearchParams): TemplateKey | undefined {
  if (!isMessageKind(kind)) return undefined
  return {
    kind,
    channel: CHANNELS.find((one) => one === asked.get('channel')) ?? 'email',
    language: LANGUAGES.find((one) => one === asked.get('language')) ?? 'en',
  }
}

const pathOfKey = (context: MemberContext, { kind, channel, language }: TemplateKey): string =>
  `${context.path('settings', 'messages', kind)}?channel=${channel}&language=${language}`

async function page(
  site: Site,
  context: MemberContext,
  key: TemplateKey,
  typed: TemplateForm,
  { refusal, said }: { refusal?: Refusal; said?: string } = {},
): Promise<Html> {
  const preview = await context.read((db) => previewMessage(db, key, site.baseUrl, context.company.currency))
  return frame(context, {
    title: kindName(key.kind),
    here: context.path('settings'),
    width: 'full',
    styles: ['sending.css'],
    body: html`
<header class="page-head"><div><p class="eyebrow"><a href="${context.path('settings', 'messages')}">${say`Messages`}</a></p><h1>${kindName(key.kind)}</h1></div></header>${when(
      refusal,
      (refusal) => notice({ kind: 'error', title: say`Nothing was saved`, body: refusalForPeople(refusal) }),
    )}${when(said, (said) => html`<div class="saying" role="status"><p><b>${said}</b></p></div>`)}
${waysHtml(context, key)}
<div class="parts">
  ${part(say`Template`, formHtml(context, key, typed, refusal))}
  ${part(say`Preview`, previewHtml(key, typed, preview, site.baseUrl))}
</div>`,
  })
}

/** Links to the same message by the other channel and in the other language. */
const waysHtml = (context: MemberContext, key: TemplateKey): Html => html`
<nav class="ways" aria-label="${say`Channel and language`}">${CHANNELS.flatMap((channel) =>
  LANGUAGES.map(
    (language) => html`
  <a href="${pathOfKey(context, { ...key, channel, language })}"${when(channel === key.channel && language === key.language, () => html` aria-current="true"`)}>${wayName(channel, language)}</a>`,
  ),
)}
</nav>`

function wayName(channel: MessageChannel, language: Language): string {
  if (channel === 'email') return language === 'es' ? say`E-mail in Spanish` : say`E-mail in English`
  return language === 'es' ? say`Text message in Spanish` : say`Text message in English`
}

const formHtml = (
  context: MemberContext,
  key: TemplateKey,
  typed: TemplateForm,
  refusal: Refusal | undefined,
): Html => {
  const isMail = key.channel === 'email'
  return html`
<form class="form" method="post" action="${context.path('settings', 'messages', key.kind)}">
  ${hidden('channel', key.channel)}${hidden('language', key.language)}${hidden('own', typed.isOwn ? 'yes' : 'no')}
  ${when(isMail, () => field({ name: 'subject', label: say`Subject`, value: typed.subject, isRequired: true, error: errorOf(refusal, 'subject') }))}
  ${textArea({ name: 'body', label: say`Message`, value: typed.body, rows: isMail ? 12 : 5, isRequired: true, error: errorOf(refusal, 'body') })}
  <details class="names"><summary>${say`Placeholders`}</summary><p class="help">${say`These are filled in for each customer:`}</p><ul>${listPlaceholders(key.kind).map((name) => html`<li><code>${formatPlaceholder(name)}</code></li>`)}</ul></details>
  <p class="actions">${button({ label: say`Save`, kind: 'main', name: 'act', value: 'save' })}${button({ label: say`Preview`, name: 'act', value: 'preview' })}${when(typed.isOwn, () => button({ label: say`Restore default template`, kind: 'quiet', name: 'act', value: 'reset' }))}${linkButton(say`Cancel`, context.path('settings', 'messages'), 'quiet')}</p>
  <div class="test">
    ${field({ name: 'test_to', label: isMail ? say`Your e-mail address` : say`Your mobile number`, value: isMail ? context.visitor.user.email : '', type: isMail ? 'email' : 'tel', error: errorOf(refusal, 'to') })}
    <p class="actions">${button({ label: say`Send me a test`, name: 'act', value: 'test' })}</p>
  </div>
</form>`
}

const previewHtml = (
  { channel }: { channel: MessageChannel; kind: MessageKind },
  typed: TemplateForm,
  { fillings, of }: Preview,
  baseUrl: string,
): Html => html`
<p class="help">${of === null ? say`With an example, as you have none yet.` : say`With ${of}.`}</p>${
  channel === 'sms'
    ? html`
<p class="bubble">${fillPlaceholders(typed.body, fillings)}</p>
<p class="help">${segmentsText(fillPlaceholders(typed.body, { ...fillings, link: linkPlaceholder(baseUrl) }))}</p>`
    : html`
<div class="mail-preview"><p class="mail-subject">${fillPlaceholders(typed.subject, fillings)}</p><p class="written">${fillPlaceholders(typed.body, fillings)}</p></div>`
}`
