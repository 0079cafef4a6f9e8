import type { Membership } from '../access/memberships.ts'
import { facts } from '../html/facts.ts'
import { html } from '../html/html.ts'
import type { Html } from '../html/html.ts'
import { layout } from '../html/layout.ts'
import type { Visitor } from './session.ts'

const ROLES = { owner: 'Owner', office: 'Office', tech: 'Technician' } as const

/** For a person of several companies, or of none. */
export const companiesPage = (person: { name: string }, memberships: readonly Membership[]): Html => layout({
  title: 'Companies', person, isNarrow: true,
  body: html`
<section class="ticket">
  <h1>${memberships.length === 0 ? 'No company yet' : 'Choose a company'}</h1>${memberships.length === 0 ? html`
  <p>You don't belong to a company at present. Ask an owner to add you.</p>` : html`
  <ul class="companies">${memberships.map(({ company, role }) => html`
    <li><a href="/${company.id}"><span><b>${company.name}</b><span class="help">${ROLES[role]}</span></span></a></li>`)}
  </ul>`}
</section>`,
})

/** The start page of a company. */
export const companyPage = ({ user, company, role }: Visitor, baseUrl: string): Html => layout({
  title: company.name, person: user, company,
  body: html`
<section class="ticket">
  <h1>${company.name}</h1>
  ${facts([
    { label: 'You', value: user.name, says: user.email },
    { label: 'Role', value: ROLES[role] },
    { label: 'Works in', value: company.timezone, says: company.currency },
  ])}
  <hr class="tear">
  <h2>Connect an assistant</h2>
  <ol class="steps">
    <li>In your assistant, add a connector with this address:<br><code>${baseUrl}/api/mcp</code></li>
    <li>It brings you here, where you choose what it may see and change.</li>
    <li>Ask it about your customers, jobs, quotes and invoices.</li>
  </ol>
</section>`,
})
