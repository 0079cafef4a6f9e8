import type { AppPolicy } from '../../../identity/apps/app_policy_decision.ts'
import {
  listApp,
  isListed,
  findAppRules,
  setAppPolicy,
  unlistApp,
  type AppRules,
  type ListedApp,
} from '../../../identity/apps/policy.ts'
import type { Grant } from '../../../identity/credentials/clients/grants.ts'
import { button } from '../../../platform/html/parts/button.ts'
import { field, hidden, select } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { table } from '../../../platform/html/parts/table.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { moment } from '../../../records/format/formats.ts'
import { part } from '../../../records/page/parts.ts'
import type { MemberContext } from '../../member_context.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import type { Site } from '../../site.ts'
import { catchRefusal, settingsPath, requireRecentOwner, settingsPage } from '../settings_page.ts'

/** Draws the company's app policy and its list of apps (docs/spec/oauth.md#policy-on-apps). */
export function policyPart(context: MemberContext, { policy, listed }: AppRules, connected: readonly Grant[]): Html {
  const { timezone } = context.company
  const unlisted = new Map(
    connected
      .filter(({ client_id: id, client_kind: kind }) => !isListed({ id, kind }, listed))
      .map(({ client_id, client_name }) => [client_id, client_name]),
  )
  return part(
    say`Which apps members may connect`,
    html`
  <form class="form" id="policy" method="post" action="${context.path('settings', 'apps', 'policy')}">
    ${select({
      name: 'policy',
      label: say`Policy`,
      help: say`The rule applies from now on. Connected apps stay connected until someone disconnects them.`,
      options: POLICIES.map((value) => ({ value, label: policyName(value) })),
      chosen: policy,
    })}
    <p class="actions">${button({ label: say`Save` })}</p>
  </form>
  <h3>${say`Listed apps`}</h3>
  <p class="help">
    ${say`Every member may connect these, whatever the policy. Your own OAuth clients, and those of this service’s administrator, are always listed.`}
  </p>
  ${table<ListedApp>({
    caption: say`Listed apps`,
    isCaptionHidden: true,
    rows: listed,
    empty: say`No apps listed yet.`,
    columns: [
      { label: say`App`, cell: ({ name }) => name },
      { label: say`Host or client ID`, cell: ({ value }) => html`<code>${value}</code>` },
      { label: say`Since`, cell: ({ listed_at }) => moment(listed_at, timezone) },
      {
        label: say`Remove`,
        cell: ({ kind, value }) =>
          html`<form method="post" action="${listPath(context)}">${hidden('kind', kind)}${hidden(
            'value',
            value,
          )}${button({ label: say`Remove`, name: 'act', value: 'unlist' })}</form>`,
      },
    ],
  })}
  <form class="form" method="post" action="${listPath(context)}">${when(unlisted.size > 0, () =>
    select({
      name: 'connected',
      label: say`Connected, not listed`,
      none: say`Choose one, or write below`,
      options: [...unlisted].map(([value, label]) => ({ value, label })),
    }),
  )}
    ${field({
      name: 'app',
      label: say`Host or client ID`,
      help: say`A host, such as claude.ai, allows every app that is described there. A client ID allows one registration.`,
    })}
    <p class="actions">${button({ label: say`Add to the list` })}</p>
  </form>`,
  )
}

const POLICIES: readonly AppPolicy[] = ['anything', 'listed', 'ask']

const policyName = (policy: AppPolicy): string => POLICY_NAMES[policy]()

const POLICY_NAMES: Readonly<Record<AppPolicy, () => string>> = {
  anything: () => say`Anything`,
  listed: () => say`Only listed apps`,
  ask: () => say`Listed apps; for others they ask an owner first`,
}

const listPath = (context: MemberContext): string => context.path('settings', 'apps', 'listed')

export async function savePolicy(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireRecentOwner(site, request)
  const sent = await readFormFields(request.req.raw)
  return saveRules(site, context, () =>
    setAppPolicy(site.database, context.company.id, sent.get('policy'), { user: context.user.id }),
  )
}

/** Adds an app to the list, or removes one. */
export async function saveListing(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireRecentOwner(site, request)
  const sent = await readFormFields(request.req.raw)
  const [company, by] = [context.company.id, { user: context.user.id }]
  return saveRules(site, context, () =>
    sent.get('act') === 'unlist'
      ? unlistApp(site.database, company, { kind: sent.get('kind') ?? '', value: sent.get('value') ?? '' }, by)
      : listApp(site.database, company, sent.get('app')?.trim() || (sent.get('connected') ?? ''), by),
  )
}

const saveRules = (site: Site, context: MemberContext, change: () => Promise<void>): Promise<Response> =>
  catchRefusal(
    async () => {
      await change()
      return redirectWithMessage(settingsPath(context, 'apps'), { sentence: say`Saved` })
    },
    async (refusal) =>
      settingsPage(
        context,
        'apps',
        say`Connected apps`,
        policyPart(context, await findAppRules(site.database, context.company.id), []),
        refusal,
      ),
  )
