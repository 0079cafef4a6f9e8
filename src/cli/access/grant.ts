import { listGrants, revokeGrant } from '../../identity/credentials/clients/grants.ts'
import { findUser } from '../../identity/people/users.ts'
import { findTenant } from '../../identity/companies/tenants.ts'
import { formatTable } from '../columns.ts'
import { command } from '../command.ts'
import { withDatabase } from '../with_database.ts'

const client = { value: '<client id>', description: 'Id of the client' } as const
const user = { value: '<email or id>', also: 'email', description: 'Person who approved the client' } as const

export const grantCommands = [
  command({
    name: 'grant list',
    description: 'Lists the grants that people gave OAuth clients, with company and scopes.',
    options: { tenant: { value: '<id>', description: 'Id of the company' }, user, client },
    run: async ({ tenant, user, client }) => {
      const grants = await withDatabase(async ({ database }) =>
        listGrants(database, {
          ...(tenant === undefined ? {} : { tenant: (await findTenant(database, tenant)).id }),
          ...(user === undefined ? {} : { user: (await findUser(database, user)).id }),
          ...(client === undefined ? {} : { client }),
        }),
      )
      const rows = grants.map((grant) => [
        grant.client_id,
        grant.client_name,
        grant.email,
        grant.tenant_id,
        `${grant.scopes.length} scopes`,
        grant.updated_at.slice(0, 10),
      ])
      return {
        json: grants,
        text: formatTable(['CLIENT', 'NAME', 'USER', 'COMPANY', 'SCOPES', 'SINCE'], rows, 'No grants.'),
      }
    },
  }),
  command({
    name: 'grant revoke',
    description: 'Revokes the grant that a person gave a client. Its tokens stop working immediately.',
    options: { client: { ...client, required: true }, user: { ...user, required: true } },
    run: async ({ client, user }) => {
      const grant = await withDatabase(async ({ database }) =>
        revokeGrant(database, client.trim(), (await findUser(database, user)).id),
      )
      return { json: grant, text: `Revoked the grant of ${grant.email} to ${grant.client_name}` }
    },
  }),
]
