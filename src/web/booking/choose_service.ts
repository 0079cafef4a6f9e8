import type { BookableService } from '../../customer_portal/booking/bookable_service.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { duration, money } from '../../records/format/formats.ts'
import { bookingPage, progressHtml, type BookingContext } from './booking_context.ts'
import { sourceOf, toQuery } from './source.ts'

/** Lists the bookable services. */
export function showServices(context: BookingContext, request: PageRequest): Response {
  const query = toQuery(sourceOf(request))
  const other = context.language === 'es' ? 'en' : 'es'
  const translated = `?${new URLSearchParams({ ...query, lang: other }).toString()}`
  return bookingPage(context, {
    title: say`Book a visit`,
    body: html`
<div class="booking-head">${progressHtml(1)}<p><a href="${translated}" lang="${other}"
  hreflang="${other}">${other === 'es' ? 'Español' : 'English'}</a></p></div>
<h1>${say`What do you need?`}</h1>
<ul class="booking-services">${context.services.map((service) => serviceHtml(context, service, query))}
</ul>`,
  })
}

const serviceHtml = (context: BookingContext, service: BookableService, query: Record<string, string>): Html => html`
  <li><a class="booking-service" href="${context.path(service.catalog_item_id, query)}">
    <span class="booking-name">${service.name}</span>${when(
      service.description,
      (text) => html`
    <span class="help">${text.slice(0, 160)}</span>`,
    )}
    <span class="booking-facts">${factsOf(service, context.company.currency)}</span></a></li>`

/** Returns a service's duration, and its price if the company shows it. */
export function factsOf(service: BookableService, currency: string): string {
  const price = service.price === 'none' ? null : service.unit_price_cents
  const length = say`About ${duration(service.minutes)}`
  if (price === null) return length
  return `${length} · ${service.price === 'from' ? say`from ${money(price, currency)}` : money(price, currency)}`
}
