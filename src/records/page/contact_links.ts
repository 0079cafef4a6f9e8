import { html, when, type Html } from '../../platform/html/html.ts'
import { say } from '../../platform/i18n/say.ts'
import { phone } from '../format/formats.ts'
import type { PageContext } from './page_context.ts'

/** Renders an E.164 phone number as a link to call, with its extension (RFC 3966). */
export const phoneLink = (number: string, extension: string | null = null): Html =>
  html`<a class="tel" href="tel:${number}${extension === null ? '' : `;ext=${extension}`}">${phone(
    number,
  )}${extension === null ? '' : ` x${extension}`}</a>`

/** Renders an email address as a link (RFC 6068). */
export function mailLink(address: string): Html {
  const at = address.lastIndexOf('@')
  return html`<a class="mail" href="mailto:${encodeURIComponent(
    address.slice(0, at),
  )}@${encodeURIComponent(address.slice(at + 1))}">${breakAddress(address)}</a>`
}

/** Renders an email address without a link. */
export const mailText = (address: string): Html => html`<span class="mail">${breakAddress(address)}</span>`

/** Renders the recipient of a message: an email address, or a formatted phone number. */
export const recipientText = (recipient: string): Html | string =>
  recipient.includes('@') ? mailText(recipient) : phone(recipient)

/** Allows line breaks in an email address before its `@` and its last dot, where people would split it. */
const breakAddress = (address: string): Html =>
  html`${address.split(/(?=@)|(?=\.[^.@]+$)/).map((part, i) => html`${when(i !== 0, () => html`<wbr>`)}${part}`)}`

/** Returns an address without the company's own country. */
export const localAddress = (formatted: string, country: string): string =>
  formatted.endsWith(`, ${country}`) ? formatted.slice(0, -country.length - 2) : formatted

/** Returns the address of a record's work, without the company's own country. */
export const workAddress = (
  { company }: Pick<PageContext, 'company'>,
  { location_address }: { location_address: string | null },
): string | undefined => (location_address === null ? undefined : localAddress(location_address, company.country))

/** Renders a link to directions, which a phone opens in its maps app. It sends no referrer. */
export const directionsLink = (address: string): Html =>
  html`<a href="https://www.google.com/maps/dir/?${new URLSearchParams({
    api: '1',
    destination: address,
  }).toString()}" rel="noreferrer">${say`Directions`}</a>`

type MapTarget = { formatted_address: string; latitude?: number | null; longitude?: number | null }

/** Renders a link to a place on an external map. It sends no referrer. */
export function mapLink({ formatted_address, latitude = null, longitude = null }: MapTarget): Html {
  const query = latitude === null || longitude === null ? formatted_address : `${latitude}, ${longitude}`
  return html`<a href="https://www.openstreetmap.org/search?${new URLSearchParams({
    query,
  }).toString()}" rel="noreferrer">${say`Map`}<span class="unseen">: ${formatted_address}</span></a>`
}
