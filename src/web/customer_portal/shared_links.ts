import { answer } from '../../platform/http/answer.ts'
import { button, linkButton } from '../../platform/html/parts/button.ts'
import { select } from '../../platform/html/parts/field.ts'
import { MAX_OPEN_BYTES, readFormFields } from '../../platform/http/form.ts'
import { copyable } from '../../platform/html/parts/copyable.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { notice } from '../../platform/html/parts/notice.ts'
import type { PageRequest, PageRouter } from '../../platform/http/page_request.ts'
import { refusalForPeople } from '../../platform/i18n/refusal_for_people.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import { mayChangeQuote } from '../../records/quotes/index.ts'
import {
  DEFAULT_LINK_DAYS,
  MAX_LINK_DAYS,
  issueLink,
  type LinkTarget,
  type LinkTargetKind,
} from '../../customer_portal/link.ts'
import { isActive, listLinks, revokeLink, listViews, type IssuedLink } from '../../customer_portal/issued_links.ts'
import { mayShareKind, requireShareable } from '../../customer_portal/sharing.ts'
import { notFound, Refusal } from '../../platform/errors/refusal.ts'
import { moment } from '../../records/format/formats.ts'
import { isId } from '../../platform/validation/id.ts'
import { statusOf } from '../faults.ts'
import { frame } from '../frame.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { notFoundRefusal } from '../not_found.ts'
import { redirectWithMessage } from '../flash_message.ts'
import { pageRoutes } from '../page_routes.ts'
import type { Site } from '../site.ts'
import { linksPath, linkSummary } from './links_part.ts'

const LINKS = '/:tenant{[0-9a-f-]{36}}/:kind{quotes|invoices|customers}/:id{[0-9a-f-]{36}}/links'

/** Returns the pages where members create customer links, see when they were opened, and revoke them. */
export const sharedLinkRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    [LINKS]: { get: show, post: give },
    [`${LINKS}/:link{[0-9a-f-]{36}}`]: { get: showViews },
    [`${LINKS}/:link{[0-9a-f-]{36}}/take-back`]: { post: end },
  })

type LinkSubject = { context: MemberContext; of: LinkTarget; name: string; status: string | undefined }

/** Returns the record of the links. Answers 404 to members who may not share it. */
async function requireLinkSubject(site: Site, visit: PageRequest): Promise<LinkSubject> {
  const context = await requireMemberContext(site, visit)
  const of: LinkTarget = { kind: visit.req.param('kind') as LinkTargetKind, id: visit.req.param('id')! }
  if (!mayShareKind(context.may, of.kind) || !isId(of.id)) throw notFoundRefusal()
  switch (of.kind) {
    case 'quotes': {
      const quote = await context.call('quotes_get', { id: of.id })
      if (!mayChangeQuote(quote, context.caller)) throw notFoundRefusal()
      return { context, of, name: quote.display_number, status: quote.status }
    }
    case 'invoices': {
      const { display_number, status } = await context.call('invoices_get', { id: of.id })
      return { context, of, name: display_number, status }
    }
    case 'customers': {
      const { display_name } = await context.call('customers_get', { id: of.id })
      return { context, of, name: display_name, status: undefined }
    }
  }
}

async function show(site: Site, visit: PageRequest): Promise<Response> {
  return page(await requireLinkSubject(site, visit), {})
}

/** Creates a link, which is shown once. */
async function give(site: Site, visit: PageRequest): Promise<Response> {
  const giving = await requireLinkSubject(site, visit)
  const days = Number((await readFormFields(visit.req.raw, MAX_OPEN_BYTES)).get('days') ?? DEFAULT_LINK_DAYS)
  const { context, of } = giving
  try {
    requireShareable(giving.status)
    const { path } = await context.write(async (db) => {
      if (!mayShareKind(context.may, of.kind)) throw notFoundRefusal()
      return issueLink(db, { ...of, by: context.user.id, days })
    })
    return await page(giving, { made: site.baseUrl + path })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return page(giving, { refusal: error })
  }
}

async function end(site: Site, visit: PageRequest): Promise<Response> {
  const { context, of } = await requireLinkSubject(site, visit)
  await context.write(async (db) => {
    if (!mayShareKind(context.may, of.kind)) throw notFoundRefusal()
    return revokeLink(db, context.user.id, of, visit.req.param('link')!)
  })
  return redirectWithMessage(linksPath(context, of), { sentence: say`The link was revoked and no longer works.` })
}

type LinkPageOptions = { made?: string; refusal?: Refusal }

async function page({ context, of, name }: LinkSubject, { made, refusal }: LinkPageOptions): Promise<Response> {
  const links = await context.read((db) => listLinks(db, of))
  return answer(
    frame(context, {
      title: say`Customer links of ${name}`,
      here: context.path(of.kind),
      width: 'wide',
      scripts: ['copy.js'],
      body: html`
<header class="page-head">
  <div><p class="eyebrow"><a href="${context.path(of.kind, of.id)}">${name}</a></p><h1>${say`Customer links`}</h1></div>
</header>${when(refusal, (refusal) =>
        notice({ kind: 'error', title: refusalForPeople(refusal) }),
      )}${when(made, newLinkNotice)}
<section class="part">
  <form class="form" method="post" action="${linksPath(context, of)}">
    ${select({
      name: 'days',
      label: say`Can be used for`,
      chosen: String(DEFAULT_LINK_DAYS),
      options: [7, 30, DEFAULT_LINK_DAYS, MAX_LINK_DAYS].map((days) => ({
        value: String(days),
        label: sayCount(days, 'one day', '{0} days'),
      })),
    })}
    <p class="actions">
      ${button({ label: say`Create link`, kind: made === undefined ? 'main' : 'plain' })}
      ${linkButton(say`Back`, context.path(of.kind, of.id), 'quiet')}
    </p>
  </form>
</section>
<section class="part">${
        links.length === 0
          ? html`
  <p class="empty">${say`No links yet.`}</p>`
          : html`
  <ul class="links">${links.map((link) => linkItem(context, of, link))}
  </ul>`
      }
</section>`,
    }),
    refusal === undefined ? {} : { status: statusOf(refusal) },
  )
}

const newLinkNotice = (address: string): Html =>
  notice({
    kind: 'good',
    title: say`The link is ready`,
    body: html`${say`Copy this link now and send it to the customer. You won't see it again.`}<br>${copyable(address)}`,
  })

const linkItem = (context: MemberContext, of: LinkTarget, link: IssuedLink): Html => html`
    <li>${linkSummary(context, link)}${when(
      link.views > 0,
      () => html` <a href="${linksPath(context, of)}/${link.id}">${say`When it was opened`}</a>`,
    )}${when(
      isActive(link),
      () => html`
      <form method="post" action="${linksPath(context, of)}/${link.id}/take-back">
        ${button({ label: say`Take back`, kind: 'danger' })}
      </form>`,
    )}</li>`

/** Shows when and from where a link was opened. */
async function showViews(site: Site, visit: PageRequest): Promise<Response> {
  const { context, of, name } = await requireLinkSubject(site, visit)
  const [link, views] = await context.read((db) =>
    Promise.all([
      listLinks(db, of).then((links) => links.find(({ id }) => id === visit.req.param('link'))),
      listViews(db, visit.req.param('link')!),
    ]),
  )
  if (link === undefined) throw notFound('link')
  return answer(
    frame(context, {
      title: say`When it was opened`,
      here: context.path(of.kind),
      width: 'wide',
      body: html`
<header class="page-head">
  <div>
    <p class="eyebrow"><a href="${linksPath(context, of)}">${say`Customer links of ${name}`}</a></p>
    <h1>${say`When it was opened`}</h1>
  </div>
</header>
<p class="help">${say`Counted once an hour per network address. Known mail scanners aren't counted.`}</p>
<ul class="links part">${views.map(
        ({ at, address }) => html`
  <li><time datetime="${at}">${moment(at, context.company.timezone)}</time> <span class="help">${address}</span></li>`,
      )}
</ul>`,
    }),
  )
}
