import {
  GRANT_LEVELS,
  ceilingOfGrant,
  grantLevelsOf,
  levelsOf,
  proposesOf,
  scopesUnder,
} from '../../../identity/permissions/areas.ts'
import { hasLiftedProposals } from '../../../identity/permissions/scopes.ts'
import { describeScopes } from '../../../identity/permissions/names.ts'
import { listGrants, narrowGrant, revokeGrant, type Grant } from '../../../identity/credentials/clients/grants.ts'
import { listGrantsOutsidePolicy } from '../../../identity/apps/outside_policy.ts'
import { isListed, findAppRules, type ListedApp } from '../../../identity/apps/policy.ts'
import { redirect } from '../../../platform/http/answer.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { status } from '../../../platform/html/parts/status.ts'
import { table } from '../../../platform/html/parts/table.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { notFound, type Refusal } from '../../../platform/errors/refusal.ts'
import { moment } from '../../../records/format/formats.ts'
import { mailText } from '../../../records/page/contact_links.ts'
import { findAppCredential } from '../../../undo/connections.ts'
import { activityPath } from '../../activity/addresses.ts'
import { requireMemberContext, type MemberContext } from '../../member_context.ts'
import { requireRecent } from '../../sign_in/recent.ts'
import type { Site } from '../../site.ts'
import { areaChoices, readGrantLevels } from './areas.ts'
import { policyPart } from './app_policy.ts'
import { requestsPart } from './app_requests.ts'
import { outsidePart } from './apps_outside.ts'
import { connectionHoldPart, liftMatchingHolds } from '../messages/connection_hold.ts'
import { approvalRulesPart } from '../people/approval_rules.ts'
import { catchRefusal, isOwner, settingsPath, settingsPage } from '../settings_page.ts'

export async function showApps(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  const [grants, ownerParts] = await Promise.all([
    listVisibleGrants(site, context),
    isOwner(context)
      ? Promise.all([
          requestsPart(context),
          approvalRulesPart(site, context),
          findAppRules(site.database, context.company.id),
        ])
      : undefined,
  ])
  const [requests = '', approvalPart = '', rules] = ownerParts ?? []
  const outside = rules === undefined ? [] : await listGrantsOutsidePolicy(site.database, context.company.id, grants)
  return settingsPage(
    context,
    'apps',
    say`Connected apps`,
    html`
${requests}
<p class="lead">${say`Apps that members connected. Changes here take effect with the app's next request.`}</p>
${table<Grant>({
  caption: say`Connected apps`,
  isCaptionHidden: true,
  rows: grants,
  empty: say`No apps connected yet. How to connect shows the address to add in your assistant.`,
  columns: [
    { label: say`App`, cell: (grant) => html`<a href="${addressOf(context, grant)}">${grant.client_name}</a>` },
    { label: say`Connected by`, cell: ({ email }) => mailText(email) },
    { label: say`Access`, cell: ({ scopes, proposes }) => describeScopes(scopes, proposes) },
    { label: say`Since`, cell: ({ updated_at }) => moment(updated_at, context.company.timezone) },
    ...(rules === undefined || rules.policy === 'anything'
      ? []
      : [{ label: say`Listed`, cell: (grant: Grant) => listingStatus(grant, rules.listed) }]),
  ],
})}${outsidePart(context, outside)}
<p class="actions">${linkButton(say`How to connect`, '/docs')}${linkButton(
      say`Assistant activity`,
      activityPath(context),
      'quiet',
    )}</p>${when(rules, (rules) => policyPart(context, rules, grants))}${approvalPart}`,
  )
}

export async function showApp(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  const grant = await requireGrant(site, context, request)
  return page(context, grant)
}

/** Narrows an app's rights, changes where it only proposes, lifts its hold, or revokes its access. */
export async function saveApp(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  const grant = await requireGrant(site, context, request)
  const sent = await readFormFields(request.req.raw)
  const action = sent.get('act')
  const levels = readGrantLevels(sent)
  const allowed = action === 'withdraw' ? new Set<string>() : scopesUnder(ceilingOfGrant(levels))
  const scopes = grant.scopes.filter((scope) => allowed.has(scope))
  if (action === 'lift' || hasLiftedProposals(grant.proposes, scopes, proposesOf(levels)))
    await requireRecent(site, request, context.session, sent)
  return catchRefusal(
    async () => {
      if (action === 'lift') {
        await liftMatchingHolds(
          site,
          context,
          (one) => one.client_id === grant.client_id && one.user_id === grant.user_id,
        )
        return redirect(addressOf(context, grant))
      }
      if (allowed.size === 0)
        await revokeGrant(site.database, grant.client_id, grant.user_id, { user: context.user.id }, context.company.id)
      else
        await narrowGrant(
          site.database,
          grant.client_id,
          grant.user_id,
          { remaining: allowed, proposes: proposesOf(levels) },
          { user: context.user.id },
          context.company.id,
        )
      return redirect(settingsPath(context, 'apps'))
    },
    (refusal) => page(context, grant, refusal),
  )
}

/** Returns the tag that shows whether the app list includes an app. */
const listingStatus = ({ client_id: id, client_kind: kind }: Grant, listed: readonly ListedApp[]): Html =>
  isListed({ id, kind }, listed) ? status(say`Listed`, 'good') : status(say`Not listed`, 'plain')

/** Returns the person's own apps; all members' for owners. */
const listVisibleGrants = (site: Site, context: MemberContext): Promise<Grant[]> =>
  listGrants(site.database, { tenant: context.company.id, ...(isOwner(context) ? {} : { user: context.user.id }) })

async function requireGrant(site: Site, context: MemberContext, { req }: PageRequest): Promise<Grant> {
  const searchParams = new URL(req.url).searchParams
  const grant = (await listVisibleGrants(site, context)).find(
    ({ client_id, user_id }) => client_id === searchParams.get('client') && user_id === searchParams.get('user'),
  )
  if (grant === undefined) throw notFound('grant')
  return grant
}

const addressOf = (context: MemberContext, { client_id, user_id }: Grant): string =>
  `${context.path('settings', 'app')}?${new URLSearchParams({ client: client_id, user: user_id }).toString()}`

/** Returns the URL of an app's activity for its person; undefined if it was never used. */
async function activityOf(context: MemberContext, { client_id, user_id }: Grant): Promise<string | undefined> {
  const credential = await context.read((db) => findAppCredential(db, client_id, user_id))
  return credential && activityPath(context, { of: credential })
}

async function page(context: MemberContext, grant: Grant, refusal?: Refusal): Promise<Response> {
  const [activity, holdPart] = await Promise.all([
    activityOf(context, grant),
    connectionHoldPart(
      context,
      addressOf(context, grant),
      (one) => one.client_id === grant.client_id && one.user_id === grant.user_id,
    ),
  ])
  return settingsPage(
    context,
    'apps',
    grant.client_name,
    html`${holdPart}
<section class="part">
  <h2>${grant.client_name}</h2>
  <p class="help">
    ${say`Connected by ${grant.email} on ${moment(grant.created_at, context.company.timezone)}`}
  </p>${when(
    activity,
    (activity) => html`
  <p><a href="${activity}">${say`View activity and undo`}</a></p>`,
  )}
  <form class="form" method="post" action="${addressOf(context, grant)}">
    ${areaChoices(grantLevelsOf(grant.scopes, grant.proposes), levelsOf(grant.scopes), GRANT_LEVELS)}
    ${when(
      Object.values(levelsOf(grant.scopes)).includes('edit'),
      () => html`<p class="help">${say`With Propose, changes wait until someone approves them.`}</p>`,
    )}
    <p class="help">${say`To give the app more access, connect it again from the app.`}</p>
    <p class="actions">
      ${button({ label: say`Save`, kind: 'main' })}
      ${button({ label: say`Disconnect`, kind: 'danger', name: 'act', value: 'withdraw' })}
      ${linkButton(say`Cancel`, settingsPath(context, 'apps'), 'quiet')}
    </p>
  </form>
</section>`,
    refusal,
  )
}
