import { createClient, listClientsPage, removeClient, type Client } from '../../identity/credentials/clients/clients.ts'
import { parseScopes } from '../../identity/credentials/keys.ts'
import { invalidField } from '../../platform/errors/refusal.ts'
import { alignColumns, formatTable } from '../columns.ts'
import { command } from '../command.ts'
import { withDatabase } from '../with_database.ts'

export const clientCommands = [
  command({
    name: 'client create',
    description: 'Creates a confidential OAuth client and shows its secret once.',
    options: {
      name: {
        value: '<name>',
        required: true,
        description: 'Name of the client, which people see when they approve it',
      },
      redirect: {
        value: '<uri,…>',
        required: true,
        also: 'redirect-uri',
        description: 'Exact redirect URIs, separated by commas',
      },
      scopes: {
        value: '<scopes>',
        description: 'Maximum scopes: read, or names such as read:jobs (all that the member may grant)',
      },
    },
    run: async ({ name, redirect, scopes }) => {
      const uris = redirect
        .split(',')
        .map((uri) => uri.trim())
        .filter((uri) => uri !== '')
      const allowList = scopes === undefined ? null : parseScopes(scopes)
      const registered = await withDatabase(({ database }) =>
        createClient(database, { name, redirect_uris: uris, allow_list: allowList }),
      )
      const { secret, ...client } = registered
      return {
        json: { ...toClientView(client), client_secret: secret },
        text: alignColumns([
          ['Client', client.name],
          ['Id', client.id],
          ['Secret', `${secret}  (shown once)`],
          ['Redirect URIs', client.redirect_uris.join(', ')],
          ['Maximum scopes', client.allow_list?.join(', ') ?? 'all that the member may grant'],
        ]),
      }
    },
  }),
  command({
    name: 'client list',
    description: 'Lists OAuth clients, newest first: those created here, then those that registered themselves.',
    options: {
      limit: { value: '<n>', description: 'Maximum number of rows (100)' },
      after: { value: '<client id>', description: 'Rows after this client, the last one of the previous page' },
    },
    run: async ({ limit = '100', after }) => {
      if (!/^[1-9]\d{0,4}$/.test(limit))
        throw invalidField('limit', `must be a whole number from 1 to 99999 (got '${limit}')`)
      const { clients, more } = await withDatabase(({ database }) =>
        listClientsPage(database, { limit: Number(limit), after: after?.trim() }),
      )
      const rows = clients.map((client) => [
        client.id,
        client.name,
        client.kind,
        client.created_at.slice(0, 10),
        client.consented_at === null ? 'unused' : 'in use',
      ])
      const rest = more === 0 ? '' : `\n${more} more; continue with --after ${clients.at(-1)?.id ?? ''}`
      return {
        json: clients.map(toClientView),
        text: `${formatTable(['ID', 'NAME', 'KIND', 'SINCE', 'STATE'], rows, 'No clients.')}${rest}`,
      }
    },
  }),
  command({
    name: 'client remove',
    description: 'Removes an OAuth client and its grants. Its tokens stop working immediately.',
    options: {
      id: { value: '<client id>', required: true, bare: true, also: 'client', description: 'Id of the client' },
    },
    run: async ({ id }) => {
      const client = await withDatabase(({ database }) => removeClient(database, id.trim()))
      return { json: toClientView(client), text: `Removed ${client.name}` }
    },
  }),
]

const toClientView = ({ id, ...client }: Client) => ({ client_id: id, ...client })
