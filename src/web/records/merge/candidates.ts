import { field } from '../../../platform/html/parts/field.ts'
import { html, type Html } from '../../../platform/html/html.ts'
import { phone } from '../../../records/format/formats.ts'
import { localAddress } from '../../../records/page/contact_links.ts'
import type { RecordView } from '../../../records/page/page_context.ts'
import type { MemberContext } from '../../member_context.ts'
import { say } from '../../../platform/i18n/say.ts'

/** Customer who can be chosen. */
type Candidate = RecordView & {
  display_name: string
  primary_phone?: string
  primary_email?: string
  primary_address?: string
}

const MAX_SHOWN = 20
const MAX_QUERY_LENGTH = 200

/** Finds the customers that match a query, or the newest ones. */
export async function findCandidates(context: MemberContext, query: string): Promise<Candidate[]> {
  const terms = query.trim().slice(0, MAX_QUERY_LENGTH)
  const { rows } = await context.call('customers_search', {
    limit: MAX_SHOWN,
    ...(terms === '' ? {} : { query: terms }),
  })
  return rows.map((row) =>
    row.primary_address === undefined
      ? row
      : { ...row, primary_address: localAddress(row.primary_address, context.company.country) },
  )
}

type CandidateSearch = {
  /** URL of the search, which has its text in `customer`. */
  action: string
  query: string
  rows: readonly Candidate[]
  /** Text for no matches. */
  emptyText?: string
  /** Wraps content in the link or button that chooses a customer. */
  choose: (customer: Candidate, content: Html) => Html
}

/** Draws a customer search and its matches. */
export const candidatesHtml = ({
  action,
  query,
  rows,
  emptyText = say`No matches`,
  choose,
}: CandidateSearch): Html => html`
<form class="form" method="get" action="${action}" role="search" aria-label="${say`Customer`}">
  ${field({
    name: 'customer',
    label: say`Customer`,
    type: 'search',
    value: query,
    help: say`Name, phone, email or tag`,
  })}
  <p class="actions"><button class="button plain">${say`Search`}</button></p>
</form>${
  rows.length === 0
    ? html`
<p class="empty">${emptyText}</p>`
    : html`
<ul class="companies">${rows.map(
        (row) => html`
  <li>${choose(row, html`<span><b>${row.display_name}</b><span class="help">${describe(row)}</span></span>`)}</li>`,
      )}
</ul>`
}`

const describe = ({ primary_phone, primary_email, primary_address }: Candidate): string =>
  [primary_phone && phone(primary_phone), primary_email, primary_address].filter(Boolean).join(' · ')
