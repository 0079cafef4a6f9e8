import { pageResponse } from '../../platform/http/answer.ts'
import { button, linkButton } from '../../platform/html/parts/button.ts'
import { select } from '../../platform/html/parts/field.ts'
import { MAX_PUBLIC_FORM_BYTES, readFormFields } from '../../platform/http/form.ts'
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
    [LINKS]: { get: showLinks, post: createLink },
    [`${LINKS}/:link{[0-9a-f-]{36}}`]: { get: showViews },
    [`${LINKS}/:link{[0-9a-f-]{36}}/take-back`]: { post: revokeSharedLink },
  })

type LinkSubject = { context: MemberContext; target: LinkTarget; name: string; status: string | undefined }

/** Returns the record of the links. Answers 404 to members who may not share it. */
async function requireLinkSubject(site: Site, request: PageRequest): Promise<LinkSubject> {
  const context = await requireMemberContext(site, request)
  const target: LinkTarget = { kind: request.req.param('kind') as LinkTargetKind, id: request.req.param('id')! }
  if (!mayShareKind(context.may, target.kind) || !isId(target.id)) throw notFoundRefusal()
  switch (target.kind) {
    case 'quotes': {
      const quote = await context.call('quotes_get', { id: target.id })
      if (!mayChangeQuote(quote, context.caller)) throw notFoundRefusal()
      return { context, target, name: quote.display_number, status: quote.status }
    }
    case 'invoices': {
      const { display_number, status } = await context.call('invoices_get', { id: target.id })
      return { context, target, name: display_number, status }
    }
    case 'customers': {
      const { display_name } = await context.call('customers_get', { id: target.id })
      return { context, target, name: display_name, status: undefined }
    }
  }
}

async function showLinks(site: Site, request: PageRequest): Promise<Response> {
  return page(await requireLinkSubject(site, request), {})
}

/** Creates a link, which is shown once. */
async function createLink(site: Site, request: PageRequest): Promise<Response> {
  const subject = await requireLinkSubject(site, request)
  const days = Number((await readFormFields(request.req.raw, MAX_PUBLIC_FORM_BYTES)).get('days') ?? DEFAULT_LINK_DAYS)
  const { context, target } = subject
  try {
    requireShareable(subject.status)
    const { path } = await context.write(async (db) => {
      if (!mayShareKind(context.may, target.kind)) throw notFoundRefusal()
      return issueLink(db, { ...target, by: context.user.id, days })
    })
    return await page(subject, { newLinkUrl: site.baseUrl + path })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return page(subject, { refusal: error })
  }
}

async function revokeSharedLink(site: Site, request: PageRequest): Promise<Response> {
  const { context, target } = await requireLinkSubject(site, request)
  await context.write(async (db) => {
    if (!mayShareKind(context.may, target.kind)) throw notFoundRefusal()
    return revokeLink(db, context.user.id, target, request.req.param('link')!)
  })
  return redirectWithMessage(linksPath(context, target), { sentence: say`The link was revoked and no longer works.` })
}

type LinkPageOptions = { newLinkUrl?: string; refusal?: Refusal }

async function page(
  { context, target, name }: LinkSubject,
  { newLinkUrl, refusal }: LinkPageOptions,
): Promise<Response> {
  const links = await context.read((db) => listLinks(db, target))
  return pageResponse(
    frame(context, {
      title: say`Customer links of ${name}`,
      here: context.path(target.kind),
      width: 'wide',
      scripts: ['copy.js'],
      body: html`
<header class="page-head">
  <div><p class="eyebrow"><a href="${context.path(target.kind, target.id)}">${name}</a></p><h1>${say`Customer links`}</h1></div>
</header>${when(refusal, (refusal) =>
        notice({ kind: 'error', title: refusalForPeople(refusal) }),
      )}${when(newLinkUrl, newLinkNotice)}
<section class="part">
  <form class="form" method="post" action="${linksPath(context, target)}">
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
      ${button({ label: say`Create link`, kind: newLinkUrl === undefined ? 'main' : 'plain' })}
      ${linkButton(say`Back`, context.path(target.kind, target.id), 'quiet')}
    </p>
  </form>
</section>
<section class="part">${
        links.length === 0
          ? html`
  <p class="empty">${say`No links yet.`}</p>`
          : html`
  <ul class="links">${links.map((link) => linkItem(context, target, link))}
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

const linkItem = (context: MemberContext, target: LinkTarget, link: IssuedLink): Html => html`
    <li>${linkSummary(context, link)}${when(
      link.views > 0,
      () => html` <a href="${linksPath(context, target)}/${link.id}">${say`When it was opened`}</a>`,
    )}${when(
      isActive(link),
      () => html`
      <form method="post" action="${linksPath(context, target)}/${link.id}/take-back">
        ${button({ label: say`Revoke link`, kind: 'danger' })}
      </form>`,
    )}</li>`

/** Shows when and from where a link was opened. */
async function showViews(site: Site, request: PageRequest): Promise<Response> {
  const { context, target, name } = await requireLinkSubject(site, request)
  const [link, views] = await context.read((db) =>
    Promise.all([
      listLinks(db, target).then((links) => links.find(({ id }) => id === request.req.param('link'))),
      listViews(db, request.req.param('link')!),
    ]),
  )
  if (link === undefined) throw notFound('link')
  return pageResponse(
    frame(context, {
      title: say`When it was opened`,
      here: context.path(target.kind),
      width: 'wide',
      body: html`
<header class="page-head">
  <div>
    <p class="eyebrow"><a href="${linksPath(context, target)}">${say`Customer links of ${name}`}</a></p>
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
