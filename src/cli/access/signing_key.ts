import { openDataKeys, type DataKeys } from '../../identity/data_keys.ts'
import {
  canSign,
  listSigningKeys,
  rotateSigningKey,
  signerOf,
  type SigningKey,
} from '../../identity/credentials/tokens/signing_keys.ts'
import type { Database } from '../../platform/db/tenant.ts'
import { conflict } from '../../platform/errors/refusal.ts'
import { formatTable } from '../columns.ts'
import { command } from '../command.ts'
import { withDatabase } from '../with_database.ts'

export const signingKeyCommands = [
  command({
    name: 'signing-key rotate',
    description:
      'Adds a signing key for access tokens: published now, used after ten minutes. Tokens of the old key stay valid.',
    options: {},
    run: async () => {
      const key = await withDatabase(({ database }, { dataKey }) => rotateKey(database, openDataKeys(dataKey)))
      return { json: toKeyView(key), text: `Key ${key.kid} signs from ${key.signs_from}` }
    },
  }),
  command({
    name: 'signing-key list',
    description: 'Lists the published keys, newest first.',
    options: {},
    run: async () => {
      const keys = await withDatabase(({ database }, { dataKey }) => listSigningKeys(database, openDataKeys(dataKey)))
      const signer = keys.length === 0 ? undefined : signerOf(keys)
      const stateOf = (key: SigningKey): string =>
        key === signer ? 'signs' : Date.parse(key.signs_from) > Date.now() ? `signs from ${key.signs_from}` : 'verifies'
      const rows = keys.map((key) => [key.kid, key.created_at, stateOf(key)])
      return {
        json: keys.map((key) => ({ ...toKeyView(key), state: stateOf(key) })),
        text: formatTable(['KEY', 'SINCE', 'STATE'], rows, 'No keys yet. The service creates the first one.'),
      }
    },
  }),
]

/**
 * Adds a signing key. Throws if none of the existing keys can sign here, because the new one would then sign at once,
 * before it is published.
 */
async function rotateKey(database: Database, dataKeys: DataKeys): Promise<SigningKey> {
  const keys = await listSigningKeys(database, dataKeys)
  if (keys.length > 0 && !keys.some(canSign))
    throw conflict(
      'the signing keys are encrypted with a data key that is missing here; set the DATA_KEY of the service',
    )
  return rotateSigningKey(database, dataKeys)
}

const toKeyView = ({ kid, created_at, signs_from }: SigningKey) => ({ kid, created_at, signs_from })
