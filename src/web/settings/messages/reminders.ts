import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { checkbox, checkboxes, field, select } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say, sayCount } from '../../../platform/i18n/say.ts'
import type { Refusal } from '../../../platform/errors/refusal.ts'
import { time } from '../../../records/format/formats.ts'
import { HOURS, reminderSettings, saveReminders, type ReminderSetting } from '../../../messaging/reminders/settings.ts'
import type { MemberContext } from '../../member_context.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import type { Site } from '../../site.ts'
import { readReminders, type ReminderInput } from './reminder_form.ts'
import { catchRefusal, requireOwner, settingsPage } from '../settings_page.ts'

/** Shows the automatic reminders and their schedules. */
export async function showReminders(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwner(site, request)
  return page(site, context, await context.read(reminderSettings))
}

/** Saves the settings. A reminder that is turned on applies only to what comes due after that. */
export async function changeReminders(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwner(site, request)
  const reminders = readReminders(await readFormFields(request.req.raw))
  return catchRefusal(
    async () => {
      await context.write((db) => saveReminders(db, { user: context.user.id }, reminders))
      const count = reminders.filter(({ is_on }) => is_on).length
      return redirectWithMessage(context.path('settings', 'reminders'), {
        sentence:
          count === 0 ? say`Saved. Nothing is sent automatically.` : say`Saved. New reminders are sent automatically.`,
      })
    },
    (refusal) => page(site, context, reminders, refusal),
  )
}

type ReminderView = ReminderInput | ReminderSetting

function page(site: Site, context: MemberContext, reminders: readonly ReminderView[], refusal?: Refusal): Response {
  const settingOf = (kind: ReminderView['kind']): ReminderView => reminders.find((one) => one.kind === kind)!
  const [visit, quote, invoice, plan] = [
    settingOf('visit'),
    settingOf('quote'),
    settingOf('invoice'),
    settingOf('plan'),
  ]
  return settingsPage(
    context,
    'reminders',
    say`Reminders`,
    html`
<h2>${say`Reminders`}</h2>
<p class="lead">${say`Messages that Callout sends automatically. Everything is off until you turn it on. Customers get no reminders about anything paid, void, canceled or declined.`}</p>${when(
      site.senders.email === null && site.senders.sms === null,
      () =>
        notice({
          kind: 'warning',
          title: say`No sender is set up`,
          body: say`Reminders aren't sent until this service’s administrator sets up email or text messages.`,
        }),
    )}
<form class="form part" method="post" action="${context.path('settings', 'reminders')}">
  ${group(
    visit,
    say`Visit tomorrow`,
    html`${field({
      name: 'visit_days',
      label: say`Days before the visit`,
      value: daysValue(-visit.steps[0]!),
      keys: 'numeric',
    })}`,
  )}
  ${quoteGroup(quote)}
  ${invoiceGroup(invoice)}
  ${group(
    plan,
    say`Plan ending`,
    html`${field({
      name: 'plan_days',
      label: say`Days before the plan ends`,
      value: daysValue(-plan.steps[0]!),
      keys: 'numeric',
    })}`,
  )}
  <p class="actions">
    ${button({ label: say`Save`, kind: 'main' })}
    ${linkButton(say`Edit template`, context.path('settings', 'messages'))}
    ${linkButton(say`What was sent`, context.path('settings', 'reminders', 'log'))}
  </p>
</form>`,
    refusal,
  )
}

/** Draws one reminder: whether it is on, its time and its channel. */
const group = ({ kind, is_on, hour, channel }: ReminderView, title: string, timing: Html): Html => html`
<fieldset class="reminder">
  <legend>${title}</legend>
  ${checkbox({ name: `${kind}_on_off`, label: say`Send message`, isChecked: is_on })}
  <div class="pair reminder-when">${timing}
    ${select({
      name: `${kind}_hour`,
      label: say`At`,
      options: HOURS.map((one) => ({ value: String(one), label: hourName(one) })),
      chosen: String(hour),
    })}
    ${select({
      name: `${kind}_channel`,
      label: say`Send by`,
      options: [
        { value: 'email', label: say`Email first` },
        { value: 'sms', label: say`Text message first` },
      ],
      chosen: channel,
    })}
  </div>
</fieldset>`

/** Formats a number of days for its field; empty for NaN. */
const daysValue = (days: number): string => (Number.isNaN(days) ? '' : String(days))

const hourName = (hour: number): string => time(`2026-01-01T${String(hour).padStart(2, '0')}:00:00Z`, 'UTC')

const quoteGroup = (quote: ReminderView): Html =>
  group(
    quote,
    say`Quote unanswered`,
    html`${field({
      name: 'quote_days',
      label: say`Days without an answer`,
      value: daysValue(quote.steps[0]!),
      keys: 'numeric',
    })}
    ${select({
      name: 'quote_times',
      label: say`How often`,
      options: [1, 2, 3].map((times) => ({ value: String(times), label: sayCount(times, 'once', '{0} times') })),
      chosen: String(quote.steps.length),
    })}`,
  )

function invoiceGroup(invoice: ReminderView): Html {
  const days = invoice.steps.filter((step) => step > 0).map(String)
  const soon = invoice.steps.find((step) => step < 0)
  return group(
    invoice,
    say`Invoice due and overdue`,
    html`${field({
      name: 'invoice_before',
      label: say`Days before it is due`,
      value: soon === undefined ? '' : daysValue(-soon),
      keys: 'numeric',
      help: say`Leave empty for no notice`,
    })}
    ${checkbox({ name: 'invoice_on', label: say`On the day it is due`, isChecked: invoice.steps.includes(0) })}
    ${checkboxes({
      name: 'invoice_after',
      label: say`Days overdue`,
      options: ['3', '7', '14', '30'].map((value) => ({
        value,
        label: sayCount(Number(value), 'one day', '{0} days'),
      })),
      chosen: days,
    })}`,
  )
}
