import { html, when, type Html } from '../../platform/html/html.ts'
import { icon } from '../../platform/html/shell.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import { moment, money, phone } from '../../records/format/formats.ts'
import { wordFor } from '../../records/page/states.ts'
import { localAddress } from '../../records/page/contact_links.ts'
import type { MemberContext } from '../member_context.ts'
import {
  findCustomers,
  findInvoices,
  findJobs,
  findQuotes,
  type CustomerHit,
  type InvoiceHit,
  type JobHit,
  type QuoteHit,
} from '../../records/search/find.ts'
import { mainEntries } from '../shell/entries.ts'
import { newLinks } from '../shell/new_links.ts'
import { findPages } from './pages.ts'
import { parseSearch, type SearchTerms } from '../../platform/validation/text/search_terms.ts'

type Hit = { name: string; about: string; href: string }
type Group = { title: string; hits: readonly Hit[]; allHref?: string | undefined }

/** Search results, each kind only for those who may see it, and links to create a record from the text. */
type Hits = { groups: readonly Group[]; links: readonly { label: string; href: string }[] }

/** Returns the suggestions of the palette before typing: records to create, and pages to go to. */
export const suggestHits = (context: MemberContext): Hits => ({
  groups: [
    { title: say`New`, hits: newLinks(context).map(({ label, href }) => ({ name: label, about: '', href })) },
    {
      title: say`Go to`,
      hits: mainEntries(context, '').map(({ label, href, key }) => ({
        name: label,
        about: key === undefined ? '' : `g ${key}`,
        href,
      })),
    },
  ].filter(({ hits }) => hits.length > 0),
  links: [],
})

/** Searches all kinds in one round trip. */
export async function findHits(context: MemberContext, query: string, limit: number): Promise<Hits> {
  const terms = parseSearch(query)
  if (terms === undefined) return { groups: [], links: [] }
  const [customers, jobs, quotes, invoices] = await context.read((db) =>
    Promise.all([
      context.may('read:customers') ? findCustomers(db, terms, limit) : [],
      context.may('read:jobs') ? findJobs(db, terms, limit) : [],
      context.may('read:quotes') ? findQuotes(db, terms, limit) : [],
      context.may('read:invoices') ? findInvoices(db, terms, limit) : [],
    ]),
  )
  const matchesHref = (kind: string, filter: string, hits: readonly unknown[]): string | undefined =>
    hits.length < limit ? undefined : `${context.path(kind)}?${queryOf(filter, terms.text)}`
  const groups: Group[] = [
    {
      title: say`Customers`,
      allHref: matchesHref('customers', 'query', customers),
      hits: customers.map(customerHit(context)),
    },
    { title: say`Jobs`, allHref: matchesHref('jobs', 'title', jobs), hits: jobs.map(jobHit(context)) },
    { title: say`Quotes`, allHref: matchesHref('quotes', 'query', quotes), hits: quotes.map(quoteHit(context)) },
    {
      title: say`Invoices`,
      allHref: matchesHref('invoices', 'query', invoices),
      hits: invoices.map(invoiceHit(context)),
    },
    {
      title: say`Pages and settings`,
      hits: findPages(context, query, limit).map(({ label, about, href }) => ({ name: label, about, href })),
    },
  ]
  return { groups: groups.filter(({ hits }) => hits.length > 0), links: linksWith(context, terms) }
}

const customerHit =
  ({ company, path }: MemberContext) =>
  ({ id, display_name, address, email, ...rest }: CustomerHit): Hit => ({
    name: display_name,
    about: joinParts(
      rest.phone === null ? email : phone(rest.phone),
      address === null ? null : localAddress(address, company.country),
    ),
    href: path('customers', id),
  })

const jobHit =
  ({ company, path }: MemberContext) =>
  ({ id, display_number, title, customer_name, status, scheduled_start }: JobHit): Hit => ({
    name: joinParts(display_number, title),
    about: joinParts(
      customer_name,
      wordFor(status),
      scheduled_start === null ? null : moment(scheduled_start, company.timezone),
    ),
    href: path('jobs', id),
  })

const quoteHit =
  ({ path }: MemberContext) =>
  ({ id, display_number, title, customer_name, status, total_cents, currency }: QuoteHit): Hit => ({
    name: joinParts(display_number, title),
    about: joinParts(customer_name, wordFor(status, 'quote'), money(total_cents, currency)),
    href: path('quotes', id),
  })

const invoiceHit =
  ({ path }: MemberContext) =>
  ({ id, display_number, title, customer_name, status, total_cents, currency }: InvoiceHit): Hit => ({
    name: joinParts(display_number, title),
    about: joinParts(customer_name, wordFor(status), money(total_cents, currency)),
    href: path('invoices', id),
  })

const joinParts = (...parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null && part !== '').join(' · ')

const queryOf = (name: string, value: string): string => new URLSearchParams([[name, value]]).toString()

/** Returns links that carry the typed text along, so that nobody types a caller's number twice. */
function linksWith(context: MemberContext, { text, digits }: SearchTerms): { label: string; href: string }[] {
  if (!context.may('read:customers') || !context.may('write:customers')) return []
  const contactField = text.includes('@') ? 'email' : digits === undefined ? undefined : 'phone'
  const [first, ...rest] = text.split(' ')
  const params =
    contactField === undefined
      ? { first_name: first!, last_name: rest.join(' '), company_name: text }
      : { [contactField]: text }
  const customer = {
    label: say`New customer ${text}`,
    href: `${context.path('customers', 'new')}?${new URLSearchParams(params).toString()}`,
  }
  const booking = { label: say`Book a job for ${text}`, href: `${context.path('calls', 'new')}?${queryOf('q', text)}` }
  return context.may('read:jobs') && context.may('write:jobs') ? [booking, customer] : [customer]
}

/** Renders the results as options of a combobox; each option is a link. */
export function optionsHtml({ groups, links: createLinks }: Hits): Html {
  let index = 0
  const option = (hit: Html, href: string): Html =>
    html`<a role="option" id="found-${index++}" tabindex="-1" aria-selected="false" href="${href}">${hit}</a>`
  const count = groups.reduce((sum, { hits }) => sum + hits.length, 0)
  return html`
<div class="hits" role="presentation"
  data-says="${count === 0 ? say`No matches` : sayCount(count, 'one result', '{0} results')}">${when(
    count === 0,
    () => html`
  <p class="none" aria-hidden="true">${say`No matches`}</p>`,
  )}${groups.map(
    ({ title, hits }) => html`
  <div role="group" aria-label="${title}">
    <h2 aria-hidden="true">${title}</h2>${hits.map((hit) => option(hitHtml(hit), hit.href))}</div>`,
  )}${when(
    createLinks.length > 0,
    () => html`
  <div class="make-from" role="group" aria-label="${say`New`}">${createLinks.map(({ label, href }) =>
    option(html`${icon('new')}<b>${label}</b>`, href),
  )}</div>`,
  )}
</div>`
}

/** Renders the results as page content. */
export const hitsHtml = ({ groups, links: createLinks }: Hits): Html => html`
<div class="hits">${when(groups.length === 0, () => html`<p class="empty">${say`No matches`}</p>`)}${groups.map(
  ({ title, hits, allHref }) => html`
  <section><h2>${title}</h2>
    <ul>${hits.map((hit) => html`<li><a href="${hit.href}">${hitHtml(hit)}</a></li>`)}${when(
      allHref,
      (allHref) => html`<li><a href="${allHref}">${say`All matches`}</a></li>`,
    )}</ul>
    </section>`,
)}${when(
  createLinks.length > 0,
  () => html`
  <ul class="make-from">${createLinks.map(
    ({ label, href }) => html`<li><a href="${href}">${icon('new')}<b>${label}</b></a></li>`,
  )}</ul>`,
)}
</div>`

const hitHtml = ({ name, about }: Hit): Html =>
  html`<b>${name}</b>${when(about, (about) => html`<span class="help">${about}</span>`)}`
