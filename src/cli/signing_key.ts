import { openDataKeys } from '../access/data_keys.ts'
import { listSigningKeys, rotateSigningKey, signerOf, type SigningKey } from '../access/credentials/signing_keys.ts'
import { listed } from './aligned.ts'
import { command } from './command.ts'
import { onDatabase } from './opened.ts'

export const signingKeyCommands = [
  command({
    name: 'signing-key rotate',
    description:
      'Adds a key for access tokens, published at once and signing ten minutes later; tokens of the old one stay valid.',
    options: {},
    run: async () => {
      const key = await onDatabase(({ database }, { dataKey }) => rotateSigningKey(database, openDataKeys(dataKey)))
      return { json: shown(key), text: `Key ${key.kid} signs from ${key.signs_from}` }
    },
  }),
  command({
    name: 'signing-key list',
    description: 'The published keys, newest first.',
    options: {},
    run: async () => {
      const keys = await onDatabase(({ database }, { dataKey }) => listSigningKeys(database, openDataKeys(dataKey)))
      const signer = keys.length === 0 ? undefined : signerOf(keys)
      const stateOf = (key: SigningKey): string =>
        key === signer ? 'signs' : Date.parse(key.signs_from) > Date.now() ? `signs from ${key.signs_from}` : 'verifies'
      const rows = keys.map((key) => [key.kid, key.created_at, stateOf(key)])
      return {
        json: keys.map((key) => ({ ...shown(key), state: stateOf(key) })),
        text: listed(['KEY', 'SINCE', 'STATE'], rows, 'There is no key yet; the service makes the first one.'),
      }
    },
  }),
]

const shown = ({ kid, created_at, signs_from }: SigningKey) => ({ kid, created_at, signs_from })
