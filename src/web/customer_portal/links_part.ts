import { button, linkButton } from '../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { notice } from '../../platform/html/parts/notice.ts'
import { status } from '../../platform/html/parts/status.ts'
import { findAcceptance, type Acceptance } from '../../customer_portal/answer_offer.ts'
import { say, sayCount, sayFor } from '../../platform/i18n/say.ts'
import type { LinkTarget } from '../../customer_portal/link.ts'
import { isActive, listLinks, type IssuedLink } from '../../customer_portal/issued_links.ts'
import { isLinkTargetKind, mayShareRecord, mayShareKind } from '../../customer_portal/sharing.ts'
import { day, moment } from '../../records/format/formats.ts'
import { part } from '../../records/page/parts.ts'
import { acceptanceHtml } from './quote/acceptance.ts'
import type { MemberContext } from '../member_context.ts'

/**
 * Draws a record's acceptance through a link, and its active links. With `isQuiet`, the links section is left out if it
 * has none.
 */
export async function linksPart(
  context: MemberContext,
  kind: string,
  id: string,
  { isQuiet = false }: { isQuiet?: boolean } = {},
): Promise<Html | ''> {
  if (!isLinkTargetKind(kind)) return ''
  const [acceptance, isOwn] =
    kind === 'quotes'
      ? await context.read((db) =>
          Promise.all([findAcceptance(db, id), mayShareRecord(db, context.caller, { kind, id })]),
        )
      : ([undefined, true] as const)
  const active = await (mayShareKind(context.may, kind) && isOwn ? activeLinksPart(context, { kind, id }, isQuiet) : '')
  return html`${when(acceptance, (acceptance) => acceptancePart(context, acceptance))}${active}`
}

const acceptancePart = ({ company }: MemberContext, acceptance: Acceptance): Html =>
  acceptanceHtml(
    company,
    acceptance,
    html`
  <p class="help">
    ${when(acceptance.address, (address) => html`${say`From ${address}`}`)}${when(
      acceptance.user_agent,
      (agent) => html`, ${agent}`,
    )}${when(acceptance.taken_by_name, (name) => html`${say`Taken by ${name}`}`)}
  </p>${when(acceptance.from_office, () =>
    notice({
      kind: 'warning',
      title: say`Accepted from your company's network`,
      body: say`Someone in your company signs in from the same network with the same kind of browser. Make sure that the customer accepted it.`,
    }),
  )}`,
  )

/** Draws the active links of a record, for members who may share it. */
async function activeLinksPart(context: MemberContext, { kind, id }: LinkTarget, isQuiet: boolean): Promise<Html | ''> {
  const links = await context.read((db) => listLinks(db, { kind, id }))
  if (isQuiet && !links.some(isActive)) return ''
  const path = linksPath(context, { kind, id })
  const active = links.filter(isActive)
  return part(
    say`Customer link`,
    active.length === 0
      ? html`<p class="help">${say`No link yet. With one, the customer sees this and answers without an account.`}</p>`
      : html`
<ul class="links">${active.slice(0, 3).map(
          (link) => html`
  <li>${linkSummary(context, link)}</li>`,
        )}
</ul>`,
    html`<form method="post" action="${path}">${button({ label: say`Create link` })}</form>${when(
      links.length > 0,
      () => linkButton(say`All links`, path, 'quiet'),
    )}`,
  )
}

export const linksPath = (context: Pick<MemberContext, 'path'>, { kind, id }: LinkTarget): string =>
  context.path(kind, id, 'links')

/** Describes a link: when it was created, when it expires, and how often it was opened. */
export function linkSummary({ company }: MemberContext, link: IssuedLink): Html {
  const createdOn = moment(link.created_at, company.timezone)
  const createdBy = link.created_by_name
  const until = day(
    Temporal.Instant.from(link.expires_at).toZonedDateTimeISO(company.timezone).toPlainDate().toString(),
  )
  return html`${createdBy === null ? say`Created on ${createdOn}` : say`Created by ${createdBy} on ${createdOn}`} <span class="help">${
    link.viewed_at === null
      ? say`Not opened yet`
      : sayCount(
          link.views,
          'Opened once, on {1}',
          'Opened {0} times, last on {1}',
          moment(link.viewed_at, company.timezone),
        )
  }${when(isActive(link), () => html`; ${say`can be used until ${until}`}`)}</span> ${
    link.revoked_at !== null
      ? status(sayFor('link')`Revoked`, 'ended')
      : link.has_expired
        ? status(sayFor('link')`Expired`, 'ended')
        : ''
  }`
}
