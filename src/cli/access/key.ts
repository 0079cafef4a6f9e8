import {
  createKey,
  listKeys,
  parseScopes,
  parseExpiry,
  revokeKey,
  setKeyProposes,
  tenantOfKey,
  type Key,
} from '../../identity/credentials/keys.ts'
import { parseProposes } from '../../identity/permissions/areas.ts'
import { readName } from '../../identity/inputs.ts'
import { findMember } from '../../identity/people/people.ts'
import { findTenant } from '../../identity/companies/tenants.ts'
import type { Database } from '../../platform/db/tenant.ts'
import { invalidField } from '../../platform/errors/refusal.ts'
import { isId } from '../../platform/validation/id.ts'
import { alignColumns, formatTable } from '../columns.ts'
import { command } from '../command.ts'
import { withCompany, withDatabase } from '../with_database.ts'

const tenant = { value: '<id>', required: true, description: 'Id of the company' } as const

export const keyCommands = [
  command({
    name: 'key create',
    description: 'Creates an API key and shows it once.',
    options: {
      tenant,
      user: { value: '<email or id>', description: 'Member that the key acts for (none: a tenant key)' },
      scopes: { value: '<scopes>', description: 'Scopes: all, read, or names such as read:jobs,write:jobs (read)' },
      proposes: {
        value: '<areas>',
        description: 'Areas where a person must approve its changes: all, or names such as Invoices,Quotes (none)',
      },
      name: { value: '<name>', description: 'Name of the key (API key)' },
      expires: { value: '<date>', description: 'Expiry: a date, through its end, or an exact time (never)' },
    },
    run: async ({ tenant, user, name: text = 'API key', expires, ...options }) => {
      const scopes = parseScopes(options.scopes ?? 'read')
      const proposes = parseProposes(options.proposes ?? 'none')
      const name = readName(text, 'name', 100)
      const created = await withCompany(tenant, async (database, { id, timezone }) => {
        const expires_at = expires === undefined ? null : parseExpiry(expires, timezone)
        const member = user === undefined ? null : await findMember(database, { tenant: id }, user)
        const key = await createKey(
          database,
          { tenant: id },
          { user: member?.user_id ?? null, name, scopes, proposes, expires_at },
        )
        return { ...key, tenant_id: id, of: member?.email ?? 'the company' }
      })
      const { id, key, kind, tenant_id, user_id } = created
      return {
        json: { id, key, kind, tenant_id, user_id, scopes: created.scopes, proposes: created.proposes },
        text: alignColumns([
          ['Key', `${key}  (shown once)`],
          ['Id', id],
          ['Acts for', created.of],
          ['Scopes', created.scopes.join(', ')],
          ...(created.proposes.length > 0 ? ([['Needs approval', created.proposes.join(', ')]] as const) : []),
          ['Expires', created.expires_at ?? 'never'],
        ]),
      }
    },
  }),
  command({
    name: 'key list',
    description: 'Lists the keys of a company, newest first.',
    options: { tenant },
    run: async ({ tenant }) => {
      const keys = await withCompany(tenant, (database, { id }) => listKeys(database, { tenant: id }))
      const rows = keys.map((key) => [
        key.id,
        key.name,
        kindOf(key),
        `…${key.last_four}`,
        `${key.scopes.length} scopes`,
        stateOf(key),
      ])
      return { json: keys, text: formatTable(['ID', 'NAME', 'KIND', 'KEY', 'SCOPES', 'STATE'], rows, 'No keys.') }
    },
  }),
  command({
    name: 'key set',
    description: 'Changes the areas where a person must approve what a key changes, from its next request on.',
    options: {
      id: { value: '<key id>', required: true, bare: true, also: 'key', description: 'Id of the key' },
      tenant: { value: '<id>', description: 'Id of the company that the key must belong to' },
      proposes: { value: '<areas>', required: true, description: 'Areas: all, none, or names such as Invoices,Quotes' },
    },
    run: async ({ id: text, tenant, proposes: areas }) => {
      const [id, proposes] = [keyIdIn(text), parseProposes(areas)]
      const key = await withDatabase(async ({ database }) =>
        setKeyProposes(database, { tenant: await tenantOf(database, id, tenant) }, id, proposes),
      )
      return {
        json: key,
        text: `${key.name} (…${key.last_four}) needs approval for: ${key.proposes.join(', ') || 'nothing'}`,
      }
    },
  }),
  command({
    name: 'key revoke',
    description: 'Revokes a key immediately. Revoking it again changes nothing.',
    options: {
      id: { value: '<key id>', required: true, bare: true, also: 'key', description: 'Id of the key' },
      tenant: { value: '<id>', description: 'Id of the company that the key must belong to' },
    },
    run: async ({ id: text, tenant }) => {
      const id = keyIdIn(text)
      const key = await withDatabase(async ({ database }) =>
        revokeKey(database, { tenant: await tenantOf(database, id, tenant) }, id),
      )
      return { json: key, text: `Revoked ${key.name} (…${key.last_four}) at ${key.revoked_at}` }
    },
  }),
]

function keyIdIn(text: string): string {
  const id = text.trim().toLowerCase()
  if (!isId(id)) throw invalidField('id', `must be a key's id, as key list shows it (got '${text}')`)
  return id
}

const tenantOf = async (database: Database, key: string, tenant: string | undefined): Promise<string> =>
  tenant === undefined ? tenantOfKey(database, key) : (await findTenant(database, tenant)).id

const kindOf = ({ kind }: Key): string => (kind === 'user_key' ? 'user' : 'tenant')

function stateOf({ revoked_at, expires_at, last_used_at }: Key): string {
  if (revoked_at !== null) return `revoked ${revoked_at.slice(0, 10)}`
  if (expires_at !== null && Date.parse(expires_at) <= Date.now()) return `expired ${expires_at.slice(0, 10)}`
  return last_used_at === null ? 'valid' : `valid, used ${last_used_at.slice(0, 10)}`
}
