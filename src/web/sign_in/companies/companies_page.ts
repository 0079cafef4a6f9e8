import type { Membership } from '../../../identity/people/memberships.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { linkButton } from '../../../platform/html/parts/button.ts'
import { layout } from '../../../platform/html/layout.ts'
import { roleName } from '../../../identity/permissions/names.ts'
import { say } from '../../../platform/i18n/say.ts'

/** Draws the page for a person with several companies or none, below the notices about their account. */
export const companiesPage = (
  person: { name: string },
  memberships: readonly Membership[],
  notices: Html | '' = '',
  mayStart = false,
): Html =>
  layout({
    title: say`Companies`,
    person,
    isNarrow: true,
    body: html`${notices}
<section class="ticket">
  <h1>${memberships.length === 0 ? say`No company yet` : say`Choose a company`}</h1>${
    memberships.length === 0
      ? html`
  <p>${say`You don't belong to a company yet. Ask an owner to invite you.`}</p>`
      : html`
  <ul class="companies">${memberships.map(
    ({ company, role }) => html`
    <li><a href="/${company.id}"><span><b>${company.name}</b><span class="help">${roleName(
      role,
    )}</span></span></a></li>`,
  )}
  </ul>`
  }${when(
    mayStart,
    () => html`
  <p class="actions">${linkButton(say`Start a company`, '/start', memberships.length === 0 ? 'main' : 'quiet')}</p>`,
  )}
</section>`,
  })
