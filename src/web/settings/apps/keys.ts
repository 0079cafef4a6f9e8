import { createKey, listKeys, parseExpiry, revokeKey, type Key } from '../../../identity/credentials/keys.ts'
import { readName } from '../../../identity/inputs.ts'
import { GRANT_LEVELS, ceilingOfGrant, levelsOf, proposesOf, scopesUnder } from '../../../identity/permissions/areas.ts'
import { describeScopes } from '../../../identity/permissions/names.ts'
import { redirect } from '../../../platform/http/answer.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { checkbox, field } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { copyable } from '../../../platform/html/parts/copyable.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import { status } from '../../../platform/html/parts/status.ts'
import { table } from '../../../platform/html/parts/table.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { invalid, notFound, type Refusal } from '../../../platform/errors/refusal.ts'
import { members } from '../../../records/fields/choices.ts'
import { moment } from '../../../records/format/formats.ts'
import { part } from '../../../records/page/parts.ts'
import { activityPath } from '../../activity/addresses.ts'
import { requireMemberContext, type MemberContext } from '../../member_context.ts'
import { requireRecent } from '../../sign_in/recent.ts'
import type { Site } from '../../site.ts'
import { areaChoices, readGrantLevels } from './areas.ts'
import { catchRefusal, isOwner, settingsPath, settingsPage } from '../settings_page.ts'
import { refusals } from '../../refusals.ts'

export async function showKeys(site: Site, request: PageRequest): Promise<Response> {
  return page(site, await requireMemberContext(site, request))
}

/** Creates a personal key, or a company key if an owner asks for one. It is shown once. */
export async function makeKey(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  await requireRecent(site, request, context.session)
  const sent = await readFormFields(request.req.raw)
  return catchRefusal(
    async () => {
      const expires = sent.get('expires')?.trim() ?? ''
      const key = await createKey(
        site.database,
        { tenant: context.company.id },
        {
          user: isOwner(context) && sent.has('company') ? null : context.user.id,
          name: readName(sent.get('name') ?? '', 'name', 100),
          scopes: readScopes(context, sent),
          proposes: proposesOf(readGrantLevels(sent)),
          expires_at: expires === '' ? null : parseExpiry(expires, context.company.timezone),
        },
        { user: context.user.id },
      )
      return page(site, context, { banner: keyNotice(site, key.name, key.key) })
    },
    (refusal) => page(site, context, { refusal, sent }),
  )
}

/** Revokes a personal key. Owners may revoke any key of the company. */
export async function endKey(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  const id = request.req.param('id')
  return catchRefusal(
    async () => {
      const key = (await listVisibleKeys(site, context)).find((one) => one.id === id)
      if (key === undefined) throw notFound('key')
      await revokeKey(site.database, { tenant: context.company.id }, key.id, { user: context.user.id })
      return redirect(settingsPath(context, 'keys'))
    },
    (refusal) => page(site, context, { refusal }),
  )
}

/** Returns the person's own keys; all keys for owners. */
export const listVisibleKeys = async (site: Site, context: MemberContext): Promise<Key[]> =>
  (await listKeys(site.database, { tenant: context.company.id })).filter(
    ({ user_id }) => isOwner(context) || user_id === context.user.id,
  )

function readScopes(context: MemberContext, sent: URLSearchParams): string[] {
  const scopes = [...scopesUnder(ceilingOfGrant(readGrantLevels(sent)))].filter((scope) => context.may(scope))
  if (scopes.length === 0) throw invalid(refusals.noAreas())
  return scopes
}

const keyNotice = ({ baseUrl }: Site, name: string, key: string): Html =>
  notice({
    kind: 'good',
    title: say`API key created: ${name}`,
    body: html`${say`Copy the key now. You won't see it again. Store it where only your program can read it.`}<br>${copyable(
      key,
    )}<br>
    ${say`To connect an MCP client:`}<br>${copyable(
      `claude mcp add --transport http callout ${baseUrl}/api/mcp --header "Authorization: Bearer ${key}"`,
    )}`,
  })

type PageState = { banner?: Html; refusal?: Refusal; sent?: URLSearchParams }

async function page(
  site: Site,
  context: MemberContext,
  { banner, refusal, sent = new URLSearchParams() }: PageState = {},
): Promise<Response> {
  const [keys, colleagues] = await Promise.all([
    listVisibleKeys(site, context),
    members(context, new URLSearchParams()),
  ])
  const people = new Map(colleagues.map(({ value, label }) => [value, label]))
  return settingsPage(
    context,
    'keys',
    say`API keys`,
    html`
${banner ?? ''}
${keyTable(context, keys, people)}
<p>${linkButton(say`Assistant activity`, activityPath(context), 'quiet')}</p>
${part(say`New API key`, newKeyForm(context, sent))}`,
    refusal,
  )
}

const keyTable = (context: MemberContext, keys: readonly Key[], people: ReadonlyMap<string, string>): Html =>
  table<Key>({
    caption: say`API keys`,
    rows: keys,
    empty: say`No API keys yet. With a key, a program can use the tools without a browser.`,
    columns: [
      { label: say`Name`, cell: (key) => nameOf(key, context) },
      {
        label: say`Belongs to`,
        cell: ({ kind, user_id }) =>
          kind === 'tenant_key'
            ? say`The company`
            : user_id === context.user.id
              ? say`You`
              : (people.get(user_id ?? '') ?? say`A former member`),
      },
      { label: say`Access`, cell: ({ scopes, proposes }) => describeScopes(scopes, proposes) },
      {
        label: say`Last used`,
        cell: ({ last_used_at }) =>
          last_used_at === null ? say`Never` : moment(last_used_at, context.company.timezone),
      },
      { label: say`Status`, cell: (key) => stateOf(key, context) },
    ],
  })

function newKeyForm(context: MemberContext, sent: URLSearchParams): Html {
  // No tool writes messages, so a key can at most read them.
  const levels = levelsOf([...context.caller.scopes])
  const maxLevels = { ...levels, Messages: levels.Messages === 'edit' ? ('view' as const) : levels.Messages }
  const preset = {
    ...levelsOf([...context.caller.scopes].filter((scope) => scope.startsWith('read:'))),
    ...readGrantLevels(sent),
  }
  return html`
  <form class="form" method="post" action="${settingsPath(context, 'keys')}">
    ${field({ name: 'name', label: say`Name`, help: say`Purpose`, isRequired: true, value: sent.get('name') ?? '' })}
    ${field({
      name: 'expires',
      label: say`Expires`,
      type: 'date',
      help: say`Leave empty for a key that never expires`,
      value: sent.get('expires') ?? '',
    })}${when(isOwner(context), () =>
      checkbox({
        name: 'company',
        label: say`A company key, not tied to a person`,
        help: say`Not tied to a person. It can read data and change only a few things.`,
        isChecked: sent.has('company'),
      }),
    )}
    <h3>${say`What it can see and change`}</h3>
    ${areaChoices(preset, maxLevels, GRANT_LEVELS)}
    <p class="actions">${button({ label: say`Create key`, kind: 'main' })}</p>
  </form>`
}

/** Draws a key's name, linked to its page if the key may write. */
const nameOf = ({ id, name, last_four, revoked_at, scopes }: Key, context: MemberContext): Html =>
  html`${
    revoked_at === null && scopes.some((scope) => scope.startsWith('write:'))
      ? html`<a href="${context.path('settings', 'keys', id)}">${name}</a>`
      : name
  } <code>…${last_four}</code><span class="help"><a href="${activityPath(context, {
    of: id,
  })}">${say`What it did`}</a></span>`

function stateOf({ held_at, id, revoked_at, expires_at }: Key, context: MemberContext): Html {
  if (revoked_at !== null) return status(say`Revoked`, 'ended')
  if (expires_at !== null && Date.parse(expires_at) <= Date.now()) return status(say`Expired`, 'ended')
  return html`${when(held_at, () =>
    status(say`Held`, 'warning'),
  )}<form method="post" action="${context.path('settings', 'keys', id)}">${button({ label: say`Revoke` })}</form>${when(
    expires_at,
    (expires_at) => html`
    <span class="help">${say`Expires ${moment(expires_at, context.company.timezone)}`}</span>`,
  )}`
}
