import type { BookingRules } from '../../../customer_portal/booking/booking_page.ts'
import type { WaitingBooking } from '../../../customer_portal/booking/book.ts'
import { MAX_QUESTIONS, type BookableService } from '../../../customer_portal/booking/bookable_service.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { checkbox, field, hidden, select, textArea } from '../../../platform/html/parts/field.ts'
import { attribute, html, when, type Html } from '../../../platform/html/html.ts'
import { say } from '../../../platform/i18n/say.ts'
import { duration, moment, money } from '../../../records/format/formats.ts'
import type { PublicItem } from '../../../records/catalog_items/index.ts'
import { copyable } from '../../../platform/html/parts/copyable.ts'
import { part } from '../../../records/page/parts.ts'
import type { MemberContext } from '../../member_context.ts'
import { settingsPath } from '../settings_page.ts'

/** Draws whether the page is on, its URL, and the snippet that embeds it in the company's own site. */
export const addressPart = (rules: BookingRules, address: string | undefined, services: number): Html | '' =>
  when(address, (address) =>
    part(
      say`Your page`,
      html`
  <p>${
    !rules.is_on
      ? say`The page is off: nobody can book.`
      : services === 0
        ? say`Add a service below. Until then nobody can book.`
        : say`The page is on.`
  }</p>
  ${copyable(address)}${when(
    rules.frame_origins.length > 0,
    () => html`
  <p class="help">${say`Paste this line into your website:`}</p>
  ${copyable(frameLine(address))}`,
  )}
  <p class="actions">${linkButton(say`Open the page`, address, 'quiet')}</p>`,
    ),
  )

const frameLine = (address: string): string =>
  `<iframe src="${address}" title="${say`Book a visit`}" style="width:100%;height:760px;border:0"></iframe>`

/** Lists the booking requests that wait for the office. */
export const waitingPart = (context: MemberContext, waiting: readonly WaitingBooking[]): Html | '' =>
  when(waiting.length > 0, () =>
    part(
      say`Waiting for your approval`,
      html`
  <ul class="links">${waiting.map(
    ({ id, title, customer_name, scheduled_start }) => html`
    <li><a href="${context.path('jobs', id)}">${customer_name}: ${title}</a>${when(
      scheduled_start,
      (start) => html` <span>${moment(new Date(start).toISOString(), context.company.timezone)}</span>`,
    )}</li>`,
  )}
  </ul>`,
    ),
  )

/** Draws the form of the rules. */
export const rulesPart = (context: MemberContext, rules: BookingRules, baseUrl: string): Html =>
  part(
    say`Rules`,
    html`
  <form class="form" method="post" action="${settingsPath(context, 'booking')}">
    ${hidden('act', 'rules')}
    ${checkbox({ name: 'is_on', label: say`Take bookings online`, isChecked: rules.is_on })}
    ${field({
      name: 'name',
      label: say`Name in the address`,
      value: rules.name ?? '',
      help: say`Lowercase letters, numbers and hyphens. The page is at ${baseUrl}/book/name.`,
    })}
    ${select({
      name: 'needs_approval',
      label: say`When somebody books`,
      chosen: rules.needs_approval ? 'yes' : 'no',
      options: [
        { value: 'no', label: say`Book the visit at once` },
        { value: 'yes', label: say`Hold the time until we approve it` },
      ],
    })}
    <div class="pair">
    ${number('notice_hours', say`Hours before a visit, at least`, rules.notice_hours)}
    ${number('days_ahead', say`Days ahead, at most`, rules.days_ahead)}
    ${number('window_minutes', say`Arrival window in minutes`, rules.window_minutes, say`0 promises an exact time.`)}
    </div>
    ${textArea({
      name: 'frame_origins',
      label: say`Websites that show the page`,
      value: rules.frame_origins.join('\n'),
      rows: 2,
      help: say`One address per line, like https://www.acme.com. Other sites can only link to the page.`,
    })}
    <h3>${say`Changes by customers`}</h3>
    <p class="help">${say`Customers change visits on the page of their link. You get an email and can undo it.`}</p>
    ${checkbox({ name: 'may_move', label: say`Customers may move visits`, isChecked: rules.move_hours !== null })}
    ${number('move_hours', say`Until how many hours before`, rules.move_hours ?? 24)}
    ${checkbox({ name: 'may_cancel', label: say`Customers may cancel visits`, isChecked: rules.cancel_hours !== null })}
    ${number('cancel_hours', say`Until how many hours before (canceling)`, rules.cancel_hours ?? 24)}
    ${select({
      name: 'changes',
      label: say`Visits that they may change`,
      chosen: rules.changes_bookable_only ? 'bookable' : 'all',
      options: [
        { value: 'all', label: say`All visits` },
        { value: 'bookable', label: say`Visits of services that can be booked online` },
      ],
    })}
    <p class="actions">${button({ label: say`Save rules`, kind: 'main' })}</p>
  </form>`,
  )

const number = (name: string, label: string, value: number, help?: string): Html =>
  field({ name, label, value: String(value), keys: 'numeric', help })

/** Draws the bookable services, each with its form, and a form for a new one. */
export const servicesPart = (
  context: MemberContext,
  services: readonly BookableService[],
  others: readonly PublicItem[],
): Html =>
  part(
    say`Services`,
    html`${
      services.length === 0
        ? html`<p class="empty">${say`No services yet. Choose one from your catalog.`}</p>`
        : services.map((service) => serviceForm(context, service))
    }${when(others.length > 0, () => newServiceForm(context, others))}${when(
      others.length === 0 && services.length === 0,
      () => html`<p class="actions">${linkButton(say`Open the catalog`, context.path('catalog_items'))}</p>`,
    )}`,
  )

const serviceForm = (context: MemberContext, service: BookableService): Html => html`
  <details class="further">
    <summary>${service.name}<span class="help">${duration(service.minutes)}${when(
      service.unit_price_cents,
      (cents) => html` · ${money(cents, context.company.currency)}`,
    )}</span></summary>
    <form class="form form-part" method="post" action="${settingsPath(context, 'booking')}">
      ${hidden('catalog_item_id', service.catalog_item_id)}
      ${serviceFields(service, service.catalog_item_id.slice(-6))}
      <p class="actions">${button({ label: say`Save service`, name: 'act', value: 'service' })}
        ${button({ label: say`Remove`, kind: 'danger', name: 'act', value: 'remove' })}</p>
    </form>
  </details>`

const newServiceForm = (context: MemberContext, others: readonly PublicItem[]): Html => html`
  <details class="further">
    <summary>${say`Add a service`}</summary>
    <form class="form form-part" method="post" action="${settingsPath(context, 'booking')}">
      ${hidden('act', 'service')}
      ${select({
        name: 'catalog_item_id',
        label: say`Service`,
        options: others.map(({ id, name }) => ({ value: id, label: name })),
      })}
      ${serviceFields({ minutes: 120, price: 'from', questions: [] }, 'new')}
      <p class="actions">${button({ label: say`Add service`, kind: 'main' })}</p>
    </form>
  </details>`

/** Draws the fields of a service. `key` keeps element ids unique. */
const serviceFields = (
  { minutes, price, questions }: Pick<BookableService, 'minutes' | 'price' | 'questions'>,
  key: string,
): Html => html`
      ${fieldWith(
        `minutes-${key}`,
        say`Minutes`,
        html`<input id="minutes-${key}" name="minutes" inputmode="numeric"
        value="${minutes}" autocomplete="off">`,
      )}
      ${fieldWith(
        `price-${key}`,
        say`Price on the page`,
        html`<select id="price-${key}" name="price">${[
          { value: 'exact', label: say`The catalog’s price` },
          { value: 'from', label: say`“from” the catalog’s price` },
          { value: 'none', label: say`No price` },
        ].map(
          ({ value, label }) =>
            html`<option value="${value}"${attribute('selected', value === price)}>${label}</option>`,
        )}</select>`,
      )}
      ${Array.from({ length: MAX_QUESTIONS }, (_, i) =>
        fieldWith(
          `question-${i + 1}-${key}`,
          say`Question ${i + 1}`,
          html`<input id="question-${i + 1}-${key}" name="question_${i + 1}" maxlength="200"
          value="${questions[i] ?? ''}" autocomplete="off">`,
        ),
      )}`

const fieldWith = (id: string, label: string, input: Html): Html => html`
      <div class="field"><label for="${id}">${label}</label>${input}</div>`
