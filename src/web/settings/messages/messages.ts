import { button } from '../../../platform/html/parts/button.ts'
import { checkbox, hidden } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { part } from '../../../records/page/parts.ts'
import { MESSAGE_KINDS } from '../../../messaging/templates/kinds.ts'
import { listOwnTemplates } from '../../../messaging/templates/templates.ts'
import { setDelayNotices, hasDelayNotices } from '../../../messaging/reminders/late.ts'
import { eventMailSettings, setEventMail, type EventMail } from '../../../messaging/notices/notice_tasks.ts'
import { setQuoteNotices, hasQuoteNotices } from '../../../messaging/notices/notices.ts'
import { setWeeklyReport, wantsWeeklyReport } from '../../../messaging/notices/weekly_report.ts'
import type { MemberContext } from '../../member_context.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import type { Site } from '../../site.ts'
import { kindDescription, kindName } from './message_names.ts'
import { requireOwner, settingsPage } from '../settings_page.ts'

/** Lists a company's messages, and marks those with its own template. */
export async function showMessages(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwner(site, request)
  const [own, quoteNotices, weeklyReport, delayNotices, events] = await context.read((db) =>
    Promise.all([
      listOwnTemplates(db),
      hasQuoteNotices(db),
      wantsWeeklyReport(db),
      hasDelayNotices(db),
      eventMailSettings(db),
    ]),
  )
  return settingsPage(
    context,
    'messages',
    say`Messages`,
    html`
<p class="lead">${say`The messages that go out with your quotes, visits and invoices. Edit them to sound like you.`}</p>
${kindList(context, own)}
${part(
  say`When a technician runs late`,
  html`
  <form class="form" method="post" action="${context.path('settings', 'messages')}">${hidden('about', 'delays')}
    ${checkbox({
      name: 'late_customers',
      label: say`Let technicians notify the next customers`,
      isChecked: delayNotices,
      help: say`Each remaining visit of the day gets one message, by text if possible. Customers who opted out get none.`,
    })}
    <p class="actions">${button({ label: say`Save` })}</p>
  </form>`,
)}
${paymentMails(context, events)}
${officeMails(context, quoteNotices, weeklyReport)}`,
  )
}

/** Draws the kinds of messages, and marks those with the company's own template. */
const kindList = (context: MemberContext, own: readonly { kind: string }[]): Html => html`
<div class="part"><ul class="message-kinds">${MESSAGE_KINDS.map(
  (kind) => html`
  <li><a href="${context.path('settings', 'messages', kind)}"><b>${kindName(
    kind,
  )}</b><span class="help">${kindDescription(kind)}</span></a>${when(
    own.some((one) => one.kind === kind),
    () => html`<span class="status active">${say`Your template`}</span>`,
  )}</li>`,
)}
</ul></div>`

/** Saves which notices the company and its customers get. */
export async function saveNotices(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwner(site, request)
  const form = await readFormFields(request.req.raw)
  if (form.get('about') === 'delays') return saveDelays(context, form.has('late_customers'))
  if (form.get('about') === 'money')
    return saveEventMail(context, { receipts: form.has('receipts'), payment_notices: form.has('payment_notices') })
  const by = { user: context.user.id }
  await context.write(async (db) => {
    await setQuoteNotices(db, by, form.has('quote_answers'))
    await setWeeklyReport(db, by, form.has('weekly_report'))
  })
  return redirectWithMessage(context.path('settings', 'messages'), { sentence: say`Saved` })
}

async function saveEventMail(context: MemberContext, settings: EventMail): Promise<Response> {
  await context.write((db) => setEventMail(db, { user: context.user.id }, settings))
  return redirectWithMessage(context.path('settings', 'messages'), { sentence: say`Payment messages saved.` })
}

async function saveDelays(context: MemberContext, isOn: boolean): Promise<Response> {
  await context.write((db) => setDelayNotices(db, { user: context.user.id }, isOn))
  return redirectWithMessage(context.path('settings', 'messages'), {
    sentence: isOn
      ? say`Saved. Technicians can notify customers of a delay.`
      : say`Saved. Customers aren't notified of delays.`,
  })
}

const paymentMails = (context: MemberContext, events: Awaited<ReturnType<typeof eventMailSettings>>): Html =>
  part(
    say`Payments`,
    html`
  <form class="form" method="post" action="${context.path('settings', 'messages')}">${hidden('about', 'money')}
    ${checkbox({
      name: 'receipts',
      label: say`Send customers a receipt after each payment`,
      isChecked: events.receipts,
      help: say`By email, or by text when there is no address.`,
    })}
    ${checkbox({
      name: 'payment_notices',
      label: say`Email us about payments and messages that didn’t arrive`,
      isChecked: events.payment_notices,
      help: say`Online payments, failures, refunds, disputes, and messages that came back.`,
    })}
    <p class="actions">${button({ label: say`Save` })}</p>
  </form>`,
  )

const officeMails = (context: MemberContext, quoteNotices: boolean, weeklyReport: boolean): Html =>
  part(
    say`To you and the office`,
    html`
  <form class="form" method="post" action="${context.path('settings', 'messages')}">
    ${checkbox({
      name: 'quote_answers',
      label: say`Email us when a customer answers a quote or asks something`,
      isChecked: quoteNotices,
      help: say`When they accept or decline a quote, ask a question, or ask for another time through their link. Goes to owners and to the office with access.`,
    })}
    ${checkbox({
      name: 'weekly_report',
      label: say`Email owners last week’s figures each Monday`,
      isChecked: weeklyReport,
      help: say`Sales, payments, quotes, visits and unpaid invoices, compared with the week before.`,
    })}
    <p class="actions">${button({ label: say`Save` })}</p>
  </form>`,
  )
