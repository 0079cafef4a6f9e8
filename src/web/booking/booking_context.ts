import { companyOf, type Company } from '../../identity/companies/company.ts'
import type { Tenant } from '../../identity/credentials/caller.ts'
import { defaultDeadline, disconnectSignal } from '../../identity/deadline.ts'
import { hostChecker } from '../../identity/origins.ts'
import { takeAttempt } from '../../identity/sign_in/attempts.ts'
import {
  findBookingPage,
  findTenantByPage,
  isOpen,
  type BookingPage,
} from '../../customer_portal/booking/booking_page.ts'
import { listServices, type BookableService } from '../../customer_portal/booking/bookable_service.ts'
import { readTenant, writeTenant, type Db, type TenantEntry } from '../../platform/db/tenant.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { changeReader, languageOf, type Language } from '../../platform/i18n/reader.ts'
import { say } from '../../platform/i18n/say.ts'
import { customerNotice, customerPage } from '../customer_portal/customer_page.ts'
import type { Site } from '../site.ts'

/** Context of the booking pages: the company's public data, and nothing about its customers. */
export type BookingContext = {
  readonly site: Site
  readonly tenant: Tenant
  readonly company: Company
  readonly page: BookingPage
  readonly services: readonly BookableService[]
  readonly language: Language
  /** Network address of the request. */
  readonly clientAddress: string
  /** Returns the path of a step, in the chosen language. */
  path(step?: string, query?: Readonly<Record<string, string>>): string
  read<T>(work: (db: Db) => Promise<T>): Promise<T>
  write<T>(work: (db: Db) => Promise<T>): Promise<T>
}

/** Maximum requests, and maximum POSTs, per network address in 15 minutes. */
const MAX_OPENED = 240
const MAX_SENT = 40

/** Opens the booking page in the path. Gives the same response for an unknown name and for a page that is off. */
export async function openBooking(site: Site, request: PageRequest): Promise<BookingContext | Response> {
  if (!hostChecker(site)(request.env.incoming)) return noSuchPage()
  const clientAddress = site.clientAddressOf(request.env.incoming)
  const wait = await takeAttempt(site.database, [
    { subject: `booking ${clientAddress}`, max: MAX_OPENED },
    ...(request.req.method === 'POST' ? [{ subject: `booking sends ${clientAddress}`, max: MAX_SENT }] : []),
  ])
  if (wait > 0) return tooManyAttemptsPage(wait)
  const name = (request.req.param('name') ?? '').toLowerCase()
  const id = await findTenantByPage(site.database, name)
  if (id === undefined) return noSuchPage()
  const options = { by: defaultDeadline(), signal: disconnectSignal(request.env.outgoing) }
  const entry = (counter?: 'job'): TenantEntry => ({
    tenant: id,
    options: { ...options, by: defaultDeadline(), ...(counter && { counter }) },
  })
  const { company, page, services } = await readTenant(site.database, entry(), async (db) => {
    const [company, page] = await Promise.all([companyOf(db), findBookingPage(db)])
    return { company, page, services: await listServices(db, page?.services ?? []) }
  })
  if (!isOpen(page, services)) return noSuchPage()
  const chosen = request.req.query('lang')
  const language = languageOf(chosen ?? request.req.header('accept-language'))
  changeReader({ language, country: company.country })
  return {
    site,
    tenant: { id, timezone: company.timezone, currency: company.currency, country: company.country },
    company,
    page,
    services,
    language,
    clientAddress,
    path: (step, query = {}) => {
      const search = new URLSearchParams({ ...query, ...(chosen === undefined ? {} : { lang: language }) }).toString()
      return `/book/${name}${step === undefined ? '' : `/${step}`}${search === '' ? '' : `?${search}`}`
    },
    read: (work) => readTenant(site.database, entry(), work),
    write: (work) => writeTenant(site.database, entry('job'), work),
  }
}

type PageContent = { title: string; body: Html; back?: string | undefined; status?: number; isDone?: boolean }

/** Returns a booking page, which the company's own sites may embed in a frame. */
export const bookingPage = (
  { company, page }: Pick<BookingContext, 'company' | 'page'>,
  { title, body, back, status = 200 }: PageContent,
): Response =>
  customerPage({
    from: company,
    title,
    back,
    status,
    framedBy: page.frame_origins,
    styles: ['booking.css'],
    scripts: ['form.js', 'booking.js'],
    body,
  })

const noSuchPage = (): Response =>
  customerNotice({
    status: 404,
    title: say`This page isn’t available`,
    lead: say`Check the address, or call the company to book a visit.`,
  })

export const tooManyAttemptsPage = (seconds: number): Response =>
  customerNotice({
    status: 429,
    title: say`Too many attempts`,
    headers: { 'Retry-After': String(seconds) },
    lead: say`Wait 15 minutes and try again, or call us.`,
  })

/** Renders the current step of the booking. */
export const progressHtml = (step: 1 | 2 | 3): Html => html`
<p class="booking-step">${say`Step ${step} of 3`}</p>`

/** Renders an error that concerns the whole page. */
export const problemHtml = (sentence: string | undefined): Html | '' =>
  when(sentence, (sentence) => html`<p class="notice error" role="alert">${sentence}</p>`)
