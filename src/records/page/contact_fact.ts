import type { Fact } from '../../platform/html/parts/facts.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { say, sayFor } from '../../platform/i18n/say.ts'
import { ifRefused } from '../../platform/errors/refusal.ts'
import { recordLink } from './links.ts'
import { mailLink, phoneLink } from './contact_links.ts'
import type { Results } from '../../tools/declare/results.ts'
import type { PageContext } from './page_context.ts'

type Contact = Results['contacts_get']

/**
 * Returns a contact with links to call, text and email; nothing if there is none, if it is archived, and for people who
 * may not see customers.
 */
export async function contactFact(context: PageContext, id: string | null): Promise<Fact[]> {
  if (id === null || !context.may('read:customers')) return []
  const contact = await context.call('contacts_get', { id }).catch(ifRefused(null))
  if (contact === null) return []
  return [
    {
      label: say`Contact`,
      value: recordLink(context, 'contacts', id, contactName(contact)),
      says: contactLinks(contact),
    },
  ]
}

const contactName = ({ first_name, last_name, email, phone }: Contact): string =>
  [first_name, last_name].filter(Boolean).join(' ') || (email ?? phone ?? say`No name`)

function contactLinks({ email, phone, phone_extension, sms_opt_out }: Contact): Html | undefined {
  const links = [
    ...(phone === null ? [] : [phoneLink(phone, phone_extension)]),
    ...(phone === null || sms_opt_out ? [] : [html`<a class="tel" href="sms:${phone}">${sayFor('action')`Text`}</a>`]),
    ...(email === null ? [] : [mailLink(email)]),
  ]
  return links.length === 0
    ? undefined
    : html`${links.map((link, i) => html`${when(i !== 0, () => html`<br>`)}${link}`)}`
}
