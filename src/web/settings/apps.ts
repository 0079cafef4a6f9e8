import { scopesUnder, type Ceiling } from '../../access/rights/areas.ts'
import { listGrants, narrowGrant, withdrawGrant, type Grant } from '../../access/credentials/grants.ts'
import { redirect } from '../../html/answer.ts'
import { button, linkButton } from '../../html/button.ts'
import { formOf } from '../../html/form.ts'
import { html } from '../../html/html.ts'
import { table } from '../../html/table.ts'
import type { Visit } from '../../html/visit.ts'
import { notFound, type Refusal } from '../../refusal.ts'
import { moment } from '../../screens/formats.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import type { Site } from '../site.ts'
import { areaChoices, areasIn, inWords, levelsOf } from './areas.ts'
import { attempting, isOwner, pathOf, settingsPage } from './room.ts'

export async function showApps(site: Site, visit: Visit): Promise<Response> {
  const context = await requireMemberContext(site, visit)
  const grants = await seenBy(site, context)
  return settingsPage(
    context,
    'apps',
    'Connected apps',
    html`
<p class="lead">Apps that members connected. What is taken back here counts from the app's next request on.</p>
${table<Grant>({
  caption: 'Connected apps',
  isCaptionHidden: true,
  rows: grants,
  empty: 'Nothing is connected. Add this company to an assistant: its address is on the page How to connect.',
  columns: [
    { label: 'App', cell: (grant) => html`<a href="${addressOf(context, grant)}">${grant.client_name}</a>` },
    { label: 'Connected by', cell: ({ email }) => email },
    { label: 'May', cell: ({ scopes }) => inWords(scopes) },
    { label: 'Since', cell: ({ updated_at }) => moment(updated_at, context.company.timezone) },
  ],
})}
<p>${linkButton('How to connect', '/docs')}</p>`,
  )
}

export async function showApp(site: Site, visit: Visit): Promise<Response> {
  const context = await requireMemberContext(site, visit)
  return page(context, await requireGrant(site, context, visit))
}

/** Narrows an app's rights, or takes all of them back. */
export async function saveApp(site: Site, visit: Visit): Promise<Response> {
  const context = await requireMemberContext(site, visit)
  const grant = await requireGrant(site, context, visit)
  const sent = await formOf(visit.req.raw)
  return attempting(
    async () => {
      const left = scopesUnder(areasIn(sent) as Ceiling)
      if (sent.get('act') === 'withdraw' || left.size === 0)
        await withdrawGrant(
          site.database,
          grant.client_id,
          grant.user_id,
          { user: context.user.id },
          context.company.id,
        )
      else
        await narrowGrant(
          site.database,
          grant.client_id,
          grant.user_id,
          left,
          { user: context.user.id },
          context.company.id,
        )
      return redirect(pathOf(context, 'apps'))
    },
    (refusal) => page(context, grant, refusal),
  )
}

/** Returns one's own apps; owners see everybody's. */
const seenBy = (site: Site, context: MemberContext): Promise<Grant[]> =>
  listGrants(site.database, { tenant: context.company.id, ...(isOwner(context) ? {} : { user: context.user.id }) })

async function requireGrant(site: Site, context: MemberContext, { req }: Visit): Promise<Grant> {
  const asked = new URL(req.url).searchParams
  const grant = (await seenBy(site, context)).find(
    ({ client_id, user_id }) => client_id === asked.get('client') && user_id === asked.get('user'),
  )
  if (grant === undefined) throw notFound('grant')
  return grant
}

const addressOf = (context: MemberContext, { client_id, user_id }: Grant): string =>
  `${context.path('settings', 'app')}?${new URLSearchParams({ client: client_id, user: user_id }).toString()}`

const page = (context: MemberContext, grant: Grant, refusal?: Refusal): Response =>
  settingsPage(
    context,
    'apps',
    grant.client_name,
    html`
<section class="part">
  <h2>${grant.client_name}</h2>
  <p class="help">Connected by ${grant.email} on ${moment(grant.created_at, context.company.timezone)}</p>
  <form class="form" method="post" action="${addressOf(context, grant)}">
    ${areaChoices(levelsOf(grant.scopes), levelsOf(grant.scopes))}
    <p class="help">More than this is given where the app asks: connect it again.</p>
    <p class="actions">${button({ label: 'Save', kind: 'main' })}${button({ label: 'Disconnect', kind: 'danger', name: 'act', value: 'withdraw' })}${linkButton('Leave it', pathOf(context, 'apps'), 'quiet')}</p>
  </form>
</section>`,
    refusal,
  )
