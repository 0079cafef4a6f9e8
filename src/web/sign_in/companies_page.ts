import type { Membership } from '../../access/people/memberships.ts'
import { html, type Html } from '../../html/html.ts'
import { layout } from '../../html/layout.ts'
import { ROLE_NAMES } from '../roles.ts'

/** Draws the page for a person of several companies, or of none. */
export const companiesPage = (person: { name: string }, memberships: readonly Membership[]): Html =>
  layout({
    title: 'Companies',
    person,
    isNarrow: true,
    body: html`
<section class="ticket">
  <h1>${memberships.length === 0 ? 'No company yet' : 'Choose a company'}</h1>${
    memberships.length === 0
      ? html`
  <p>You don't belong to a company at present. Ask an owner to add you.</p>`
      : html`
  <ul class="companies">${memberships.map(
    ({ company, role }) => html`
    <li><a href="/${company.id}"><span><b>${company.name}</b><span class="help">${ROLE_NAMES[role]}</span></span></a></li>`,
  )}
  </ul>`
  }
</section>`,
  })
