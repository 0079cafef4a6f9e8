import { createKey, listKeys, readExpiry, revokeKey, type Key } from '../../access/credentials/keys.ts'
import { readName } from '../../access/inputs.ts'
import { scopesUnder, type Ceiling } from '../../access/rights/areas.ts'
import { redirect } from '../../html/answer.ts'
import { button } from '../../html/button.ts'
import { checkbox, field } from '../../html/field.ts'
import { formOf } from '../../html/form.ts'
import { copyable } from '../../html/copyable.ts'
import { html, when, type Html } from '../../html/html.ts'
import { notice } from '../../html/notice.ts'
import { status } from '../../html/status.ts'
import { table } from '../../html/table.ts'
import type { Visit } from '../../html/visit.ts'
import { invalid, notFound, type Refusal } from '../../refusal.ts'
import { members } from '../../screens/fields/choices.ts'
import { moment } from '../../screens/formats.ts'
import { part } from '../../screens/parts.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import type { Site } from '../site.ts'
import { areaChoices, areasIn, inWords, levelsOf } from './areas.ts'
import { attempting, isOwner, pathOf, settingsPage } from './room.ts'

export async function showKeys(site: Site, visit: Visit): Promise<Response> {
  return page(site, await requireMemberContext(site, visit))
}

/** Makes a key of one's own, or of the company where an owner asks for one. It is shown once. */
export async function makeKey(site: Site, visit: Visit): Promise<Response> {
  const context = await requireMemberContext(site, visit)
  const sent = await formOf(visit.req.raw)
  return attempting(
    async () => {
      const expires = sent.get('expires')?.trim() ?? ''
      const made = await createKey(
        site.database,
        { tenant: context.company.id },
        {
          user: isOwner(context) && sent.has('company') ? null : context.user.id,
          name: readName(sent.get('name') ?? '', 'name', 100),
          scopes: scopesIn(context, sent),
          expires_at: expires === '' ? null : readExpiry(expires, context.company.timezone),
        },
        { user: context.user.id },
      )
      return page(site, context, { banner: keyNotice(site, made.name, made.key) })
    },
    (refusal) => page(site, context, { refusal, sent }),
  )
}

/** Revokes one's own key; an owner revokes any of the company. */
export async function endKey(site: Site, visit: Visit): Promise<Response> {
  const context = await requireMemberContext(site, visit)
  const id = visit.req.param('id')
  return attempting(
    async () => {
      const key = (await seenBy(site, context)).find((one) => one.id === id)
      if (key === undefined) throw notFound('key')
      await revokeKey(site.database, { tenant: context.company.id }, key.id, { user: context.user.id })
      return redirect(pathOf(context, 'keys'))
    },
    (refusal) => page(site, context, { refusal }),
  )
}

const seenBy = async (site: Site, context: MemberContext): Promise<Key[]> =>
  (await listKeys(site.database, { tenant: context.company.id })).filter(
    ({ user_id }) => isOwner(context) || user_id === context.user.id,
  )

function scopesIn(context: MemberContext, sent: URLSearchParams): string[] {
  const scopes = [...scopesUnder(areasIn(sent) as Ceiling)].filter((scope) => context.may(scope))
  if (scopes.length === 0) throw invalid('set at least one area to View or Edit')
  return scopes
}

const keyNotice = ({ baseUrl }: Site, name: string, key: string): Html =>
  notice({
    kind: 'good',
    title: `The key ${name}`,
    body: html`It is shown once; keep it where only the program that uses it can read it.<br>${copyable(key)}<br>
    To connect an MCP client:<br>${copyable(`claude mcp add --transport http callout ${baseUrl}/api/mcp --header "Authorization: Bearer ${key}"`)}`,
  })

type PageState = { banner?: Html; refusal?: Refusal; sent?: URLSearchParams }

async function page(
  site: Site,
  context: MemberContext,
  { banner, refusal, sent = new URLSearchParams() }: PageState = {},
): Promise<Response> {
  const [keys, colleagues] = await Promise.all([seenBy(site, context), members(context, new URLSearchParams())])
  const people = new Map(colleagues.map(({ value, label }) => [value, label]))
  const most = levelsOf([...context.caller.scopes])
  const wanted = {
    ...levelsOf([...context.caller.scopes].filter((scope) => scope.startsWith('read:'))),
    ...areasIn(sent),
  }
  return settingsPage(
    context,
    'keys',
    'API keys',
    html`
${banner ?? ''}
${table<Key>({
  caption: 'Keys',
  rows: keys,
  empty: 'No keys yet. A key lets a program call the tools without a browser.',
  columns: [
    { label: 'Name', cell: ({ name, last_four }) => html`${name} <code>…${last_four}</code>` },
    {
      label: 'Of',
      cell: ({ kind, user_id }) =>
        kind === 'tenant_key'
          ? 'The company'
          : user_id === context.user.id
            ? 'You'
            : (people.get(user_id ?? '') ?? 'A former member'),
    },
    { label: 'May', cell: ({ scopes }) => inWords(scopes) },
    {
      label: 'Last used',
      cell: ({ last_used_at }) => (last_used_at === null ? 'Never' : moment(last_used_at, context.company.timezone)),
    },
    { label: 'State', cell: (key) => stateOf(key, context) },
  ],
})}
${part(
  'New key',
  html`
  <form class="form" method="post" action="${pathOf(context, 'keys')}">
    ${field({ name: 'name', label: 'Name', help: 'What uses it', isRequired: true, value: sent.get('name') ?? '' })}
    ${field({ name: 'expires', label: 'Expires', type: 'date', help: 'Never when left empty', value: sent.get('expires') ?? '' })}${when(
      isOwner(context),
      () =>
        checkbox({
          name: 'company',
          label: 'A key of the company, not of yours',
          help: 'It has no user: it can read, and make few changes',
          isChecked: sent.has('company'),
        }),
    )}
    <h3>What may it see and change?</h3>
    ${areaChoices(wanted, most)}
    <p class="actions">${button({ label: 'Make the key', kind: 'main' })}</p>
  </form>`,
)}`,
    refusal,
  )
}

function stateOf({ id, revoked_at, expires_at }: Key, context: MemberContext): Html {
  if (revoked_at !== null) return status('Revoked', 'ended')
  if (expires_at !== null && Date.parse(expires_at) <= Date.now()) return status('Expired', 'ended')
  return html`<form method="post" action="${context.path('settings', 'keys', id)}">${button({ label: 'Revoke' })}</form>${when(
    expires_at,
    (expires_at) => html`
    <span class="help">until ${moment(expires_at, context.company.timezone)}</span>`,
  )}`
}
