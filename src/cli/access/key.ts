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
    description: 'Makes an API key and shows it once.',
    options: {
      tenant,
      user: { value: '<e-mail or id>', description: 'The member it acts for; without one it is a tenant key' },
      scopes: { value: '<scopes>', description: 'all, read, or names such as read:jobs,write:jobs (read)' },
      proposes: {
        value: '<areas>',
        description: 'Where a person approves what it changes: all, or areas such as Invoices,Quotes (none)',
      },
      name: { value: '<name>', description: 'What it is for (API key)' },
      expires: { value: '<date>', description: 'A day, to its end, or an instant (never)' },
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
          ['Of', created.of],
          ['Scopes', created.scopes.join(', ')],
          ...(created.proposes.length > 0 ? ([['Proposes', created.proposes.join(', ')]] as const) : []),
          ['Expires', created.expires_at ?? 'never'],
        ]),
      }
    },
  }),
  command({
    name: 'key list',
    description: 'Every key of a company, newest first.',
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
      return {
        json: keys,
        text: formatTable(['ID', 'NAME', 'KIND', 'KEY', 'SCOPES', 'STATE'], rows, 'There is no key.'),
      }
    },
  }),
  command({
    name: 'key set',
    description: 'Changes where a key only proposes, from its next request on.',
    options: {
      id: { value: '<key id>', required: true, bare: true, also: 'key', description: 'The key' },
      tenant: { value: '<id>', description: 'The company it must belong to' },
      proposes: { value: '<areas>', required: true, description: 'all, none, or areas such as Invoices,Quotes' },
    },
    run: async ({ id: text, tenant, proposes: areas }) => {
      const [id, proposes] = [keyIdIn(text), parseProposes(areas)]
      const key = await withDatabase(async ({ database }) =>
        setKeyProposes(database, { tenant: await tenantOf(database, id, tenant) }, id, proposes),
      )
      return {
        json: key,
        text: `${key.name} (…${key.last_four}) proposes: ${key.proposes.join(', ') || 'nothing, it acts'}`,
      }
    },
  }),
  command({
    name: 'key revoke',
    description: 'Ends a key at once; revoking twice changes nothing.',
    options: {
      id: { value: '<key id>', required: true, bare: true, also: 'key', description: 'The key' },
      tenant: { value: '<id>', description: 'The company it must belong to' },
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
