import { createClient, listClientsPage, removeClient, type Client } from '../../identity/credentials/clients/clients.ts'
import { parseScopes } from '../../identity/credentials/keys.ts'
import { invalidField } from '../../platform/errors/refusal.ts'
import { alignColumns, formatTable } from '../columns.ts'
import { command } from '../command.ts'
import { withDatabase } from '../with_database.ts'

export const clientCommands = [
  command({
    name: 'client create',
    description: 'Makes a confidential OAuth client and shows its secret once.',
    options: {
      name: { value: '<name>', required: true, description: 'As people see it when they are asked to approve' },
      redirect: {
        value: '<uri,…>',
        required: true,
        also: 'redirect-uri',
        description: 'Where it may be called back, exactly; several separated by commas',
      },
      scopes: {
        value: '<scopes>',
        description: 'What it may be given at most: read, or names such as read:jobs (whatever the member may give)',
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
          ['Called back at', client.redirect_uris.join(', ')],
          ['At most', client.allow_list?.join(', ') ?? 'whatever the member may give'],
        ]),
      }
    },
  }),
  command({
    name: 'client list',
    description: 'OAuth clients: those made here first, then those that registered themselves, newest first.',
    options: {
      limit: { value: '<n>', description: 'How many at most (100)' },
      after: { value: '<client id>', description: 'Those behind this one, the last of the page before' },
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
      const rest = more === 0 ? '' : `\n${more} more; go on with --after ${clients.at(-1)?.id ?? ''}`
      return {
        json: clients.map(toClientView),
        text: `${formatTable(['ID', 'NAME', 'KIND', 'SINCE', 'STATE'], rows, 'There is no client.')}${rest}`,
      }
    },
  }),
  command({
    name: 'client remove',
    description: 'Removes an OAuth client with its grants; its tokens end at once.',
    options: { id: { value: '<client id>', required: true, bare: true, also: 'client', description: 'The client' } },
    run: async ({ id }) => {
      const client = await withDatabase(({ database }) => removeClient(database, id.trim()))
      return { json: toClientView(client), text: `Removed ${client.name}` }
    },
  }),
]

const toClientView = ({ id, ...client }: Client) => ({ client_id: id, ...client })
