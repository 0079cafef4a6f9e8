import { createKey, listKeys, readExpiry, revokeKey } from '../../access/credentials/keys.ts'
import type { Key } from '../../access/credentials/keys.ts'
import { readName } from '../../access/inputs.ts'
import { scopesUnder } from '../../access/rights/areas.ts'
import type { Ceiling } from '../../access/rights/areas.ts'
import { redirect } from '../../html/answer.ts'
import { button } from '../../html/button.ts'
import { checkbox, field } from '../../html/field.ts'
import { formOf } from '../../html/form.ts'
import { html } from '../../html/html.ts'
import type { Html } from '../../html/html.ts'
import { notice } from '../../html/notice.ts'
import { status } from '../../html/status.ts'
import { table } from '../../html/table.ts'
import type { Visit } from '../../html/visit.ts'
import { invalid, notFound } from '../../refusal.ts'
import type { Refusal } from '../../refusal.ts'
import { members } from '../../screens/fields/choices.ts'
import { moment } from '../../screens/formats.ts'
import { part } from '../../screens/parts.ts'
import { requireDesk } from '../desk.ts'
import type { Workdesk } from '../desk.ts'
import type { Site } from '../site.ts'
import { areaChoices, areasIn, inWords, levelsOf } from './areas.ts'
import { attempting, isOwner, pathOf, settingsPage } from './room.ts'

export async function showKeys(site: Site, visit: Visit): Promise<Response> {
  return page(site, await requireDesk(site, visit))
}

/** A key of one's own, or of the company where an owner asks for one. It is shown once. */
export async function makeKey(site: Site, visit: Visit): Promise<Response> {
  const desk = await requireDesk(site, visit)
  const sent = await formOf(visit.req.raw)
  return attempting(async () => {
    const expires = sent.get('expires')?.trim() ?? ''
    const made = await createKey(site.database, { tenant: desk.company.id }, {
      user: isOwner(desk) && sent.has('company') ? null : desk.user.id, name: readName(sent.get('name') ?? '', 'name', 100),
      scopes: scopesIn(desk, sent), expires_at: expires === '' ? null : readExpiry(expires, desk.company.timezone),
    }, { user: desk.user.id })
    return page(site, desk, { told: keyNotice(site, made.name, made.key) })
  }, (refusal) => page(site, desk, { refusal, sent }))
}

/** One's own key; an owner revokes any of the company. */
export async function endKey(site: Site, visit: Visit): Promise<Response> {
  const desk = await requireDesk(site, visit)
  const id = visit.req.param('id')
  return attempting(async () => {
    const key = (await seenBy(site, desk)).find((one) => one.id === id)
    if (key === undefined) throw notFound('key')
    await revokeKey(site.database, { tenant: desk.company.id }, key.id, { user: desk.user.id })
    return redirect(pathOf(desk, 'keys'))
  }, (refusal) => page(site, desk, { refusal }))
}

const seenBy = async (site: Site, desk: Workdesk): Promise<Key[]> =>
  (await listKeys(site.database, { tenant: desk.company.id })).filter(({ user_id }) => isOwner(desk) || user_id === desk.user.id)

function scopesIn(desk: Workdesk, sent: URLSearchParams): string[] {
  const scopes = [...scopesUnder(areasIn(sent) as Ceiling)].filter((scope) => desk.may(scope))
  if (scopes.length === 0) throw invalid('set at least one area to View or Edit')
  return scopes
}

const keyNotice = ({ baseUrl }: Site, name: string, key: string): Html => notice({
  kind: 'good', title: `The key ${name}`,
  says: html`It is shown once; keep it where only the program that uses it can read it.<br><code class="copy">${key}</code><br>
    To connect an MCP client:<br><code class="copy">claude mcp add --transport http callout ${baseUrl}/api/mcp --header "Authorization: Bearer ${key}"</code>`,
})

type Told = { told?: Html; refusal?: Refusal; sent?: URLSearchParams }

async function page(site: Site, desk: Workdesk, { told, refusal, sent = new URLSearchParams() }: Told = {}): Promise<Response> {
  const [keys, colleagues] = await Promise.all([seenBy(site, desk), members(desk, new URLSearchParams())])
  const people = new Map(colleagues.map(({ value, label }) => [value, label]))
  const most = levelsOf([...desk.caller.scopes])
  const wanted = { ...levelsOf([...desk.caller.scopes].filter((scope) => scope.startsWith('read:'))), ...areasIn(sent) }
  return settingsPage(desk, 'keys', 'API keys', html`
${told ?? ''}
${table<Key>({
    caption: 'Keys', rows: keys, empty: 'No keys yet. A key lets a program call the tools without a browser.',
    columns: [
      { label: 'Name', cell: ({ name, last_four }) => html`${name} <code>…${last_four}</code>` },
      { label: 'Of', cell: ({ kind, user_id }) => (kind === 'tenant_key' ? 'The company' : user_id === desk.user.id ? 'You' : people.get(user_id ?? '') ?? 'A former member') },
      { label: 'May', cell: ({ scopes }) => inWords(scopes) },
      { label: 'Last used', cell: ({ last_used_at }) => (last_used_at === null ? 'Never' : moment(last_used_at, desk.company.timezone)) },
      { label: 'State', cell: (key) => stateOf(key, desk) },
    ],
  })}
${part('New key', html`
  <form class="form" method="post" action="${pathOf(desk, 'keys')}">
    ${field({ name: 'name', label: 'Name', help: 'What uses it', isRequired: true, value: sent.get('name') ?? '' })}
    ${field({ name: 'expires', label: 'Expires', type: 'date', help: 'Never when left empty', value: sent.get('expires') ?? '' })}${isOwner(desk) ? checkbox({
    name: 'company', label: 'A key of the company, not of yours', help: 'It has no user: it can read, and make few changes', isChecked: sent.has('company'),
  }) : ''}
    <h3>What may it see and change?</h3>
    ${areaChoices(wanted, most)}
    <p class="actions">${button({ label: 'Make the key', kind: 'main' })}</p>
  </form>`)}`, refusal)
}

function stateOf({ id, revoked_at, expires_at }: Key, desk: Workdesk): Html {
  if (revoked_at !== null) return status('Revoked', 'ended')
  if (expires_at !== null && Date.parse(expires_at) <= Date.now()) return status('Expired', 'ended')
  return html`<form method="post" action="${desk.path('settings', 'keys', id)}">${button({ label: 'Revoke' })}</form>${expires_at === null ? '' : html`
    <span class="help">until ${moment(expires_at, desk.company.timezone)}</span>`}`
}
