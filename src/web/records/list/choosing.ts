import { pageResponse } from '../../../platform/http/answer.ts'
import { linkButton } from '../../../platform/html/parts/button.ts'
import { field, hidden } from '../../../platform/html/parts/field.ts'
import { html, when } from '../../../platform/html/html.ts'
import { say } from '../../../platform/i18n/say.ts'
import { phone } from '../../../records/format/formats.ts'
import { localAddress } from '../../../records/page/contact_links.ts'
import type { Choice, Screen } from '../../../records/page/screen.ts'
import type { MemberContext } from '../../member_context.ts'
import { frame } from '../../frame.ts'

/** Draws the choice of kind before a form whose fields depend on it. */
export function chooseKind(
  context: MemberContext,
  { entity, singular }: Screen,
  { name, title, options }: Choice,
  params: URLSearchParams,
): Response {
  const others = [...params].filter(([key]) => key !== name)
  return pageResponse(
    frame(context, {
      title: say`New ${singular}`,
      here: context.path(entity.name),
      width: 'wide',
      body: html`
<section class="ticket">
  <h1>${title}</h1>
  <ul class="companies">${options.map(
    ({ value, label, description }) => html`
    <li><a
      href="${context.path(entity.name, 'new')}?${new URLSearchParams([...others, [name, value]]).toString()}"><span><b>${label}</b><span class="help">${description}</span></span></a></li>`,
  )}
  </ul>
</section>`,
    }),
  )
}

/** Draws the choice of customer before a form. Keeps the parameters of the URL. */
export async function chooseCustomer(
  context: MemberContext,
  { entity, singular }: Screen,
  params: URLSearchParams,
): Promise<Response> {
  const query = params.get('customer') ?? ''
  const { rows } = context.may('read:customers')
    ? await context.call('customers_search', {
        limit: 20,
        ...(query.trim() === '' ? {} : { query: query.slice(0, 200) }),
      })
    : { rows: [] }
  const others = [...params].filter(([name]) => name !== 'customer' && name !== 'customer_id')
  const there = (id: string): string =>
    `${context.path(entity.name, 'new')}?${new URLSearchParams([...others, ['customer_id', id]]).toString()}`
  const onward = `${context.path(entity.name, 'new')}?${new URLSearchParams(others).toString()}`
  return pageResponse(
    frame(context, {
      title: say`New ${singular}`,
      here: context.path(entity.name),
      width: 'wide',
      body: html`
<section class="ticket">
  <h1>${say`Choose a customer`}</h1>
  <form class="form" method="get" action="${context.path(entity.name, 'new')}" role="search"
    aria-label="${say`Customer`}">${others.map(([name, value]) => hidden(name, value))}
    ${field({
      name: 'customer',
      label: say`Customer`,
      type: 'search',
      value: query,
      help: say`Name, phone, email or tag`,
      isFocused: true,
    })}
    <p class="actions"><button class="button plain">${say`Search`}</button>${when(context.may('write:customers'), () =>
      linkButton(say`New customer`, newCustomerPath(context, onward, query), 'quiet'),
    )}</p>
  </form>${
    rows.length === 0
      ? html`
  <p class="empty">${query.trim() === '' ? say`No customers yet.` : say`No matches.`}</p>`
      : html`
  <ul class="companies">${rows.map(
    ({ id, display_name, primary_phone, primary_address }) => html`
    <li><a href="${there(id)}"><span><b>${display_name}</b><span class="help">${[
      primary_phone && phone(primary_phone),
      primary_address && localAddress(primary_address, context.company.country),
    ]
      .filter(Boolean)
      .join(' · ')}</span></span></a></li>`,
  )}
  </ul>`
  }
</section>`,
    }),
  )
}

/** Guesses which field of a new customer a search text belongs to. */
const guessCustomerFields = (query: string): Record<string, string> => {
  const text = query.trim().slice(0, 200)
  if (text === '') return {}
  if (/^[\d\s()+./-]+$/.test(text)) return { phone: text }
  if (text.includes('@')) return { email: text }
  const [first = '', ...rest] = text.split(/\s+/)
  return { first_name: first, ...(rest.length === 0 ? {} : { last_name: rest.join(' ') }) }
}

const newCustomerPath = (context: MemberContext, onward: string, query: string): string =>
  `${context.path('customers', 'new')}?${new URLSearchParams({ onward, ...guessCustomerFields(query) }).toString()}`
