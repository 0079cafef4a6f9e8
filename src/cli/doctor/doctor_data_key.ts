import type { Client, ClientConfig } from 'pg'
import { existingKeys } from '../../identity/data_keys.ts'
import { MIN_SEALED_BYTES } from '../../identity/sealing.ts'
import { withClient } from '../../platform/db/transaction.ts'
import { errorMessage } from '../../platform/errors/error_code.ts'
import type { Config } from '../../platform/config/config.ts'
import type { TranslatedFinding } from '../../health/finding.ts'

const CHECK = 'data key'

/** Number of secrets per encryption key. `key` is null for plaintext secrets. */
type SecretCount = { key: string | null; count: number }

/** Reports whether secrets in the database are encrypted, with keys that are available. */
export async function dataKeyFinding(
  owner: ClientConfig,
  { dataKey }: Pick<Config, 'dataKey'>,
): Promise<TranslatedFinding> {
  const counts = await secretsByKey(owner)
  try {
    return secretsFinding(counts, dataKey)
  } catch (error) {
    return {
      check: CHECK,
      ok: false,
      says: errorMessage(error),
      mend: `Restore the original ${dataKey.file}, readable by the service's user.`,
    }
  }
}

function secretsFinding(counts: readonly SecretCount[], dataKey: Config['dataKey']): TranslatedFinding {
  const check = CHECK
  const [currentId, ...earlierIds] = existingKeys(dataKey).map(({ id }) => id)
  const count = (matches: (key: string | null) => boolean): number =>
    counts.filter(({ key }) => matches(key)).reduce((sum, { count }) => sum + count, 0)
  const missing = counts.flatMap(({ key }) =>
    key === null || key === currentId || earlierIds.includes(key) ? [] : [key],
  )
  if (missing.length > 0) {
    const says = `${secretsText(count((key) => key !== null && missing.includes(key)))} encrypted with an unavailable key (${missing.join(', ')}): what they protect doesn't work, and people need a recovery code`
    const mend =
      'Restore that key as DATA_KEY, or as DATA_KEY_PREVIOUS next to the current one. ' +
      'If it is lost, run: callout member factors reset; token signing keys are replaced automatically'
    return { check, ok: false, says, mend }
  }
  const plaintextCount = count((key) => key === null)
  if (plaintextCount > 0) {
    const prefix =
      currentId === undefined && dataKey.file === null ? 'Set DATA_KEY (openssl rand -base64 32), then run' : 'Run'
    return {
      check,
      ok: false,
      says: `${secretsText(plaintextCount)} not encrypted`,
      mend: `${prefix}: callout data-key seal`,
    }
  }
  const old = count((key) => key !== null && key !== currentId)
  if (old > 0) {
    const says = `${secretsText(old)} encrypted with an earlier key, which is available`
    return { check, ok: true, says: `${says}; to retire it, run: callout data-key seal` }
  }
  if (currentId === undefined) {
    const hint = dataKey.file === null ? 'set DATA_KEY before the service starts' : 'created at the first start'
    return { check, ok: true, says: `none yet (${hint})` }
  }
  return {
    check,
    ok: true,
    says: `${currentId} is available; ${secretsText(count((key) => key === currentId))} encrypted with it`,
  }
}

const secretsText = (count: number): string => (count === 1 ? '1 secret is' : `${count} secrets are`)

/** Counts secrets by encryption key; none for a schema without secrets. */
async function secretsByKey(owner: ClientConfig): Promise<SecretCount[]> {
  return withClient(owner, async (client) => {
    const { rows: tables } = await client.query<{ has_apps: boolean; has_providers: boolean; has_keys: boolean }>(
      `select to_regclass('totp_secrets') is not null as has_apps, to_regclass('company_providers') is not null as has_providers,
        exists (select 1 from pg_attribute where attrelid = to_regclass('signing_keys') and attname = 'sealed') as has_keys`,
    )
    const { has_apps, has_providers, has_keys } = tables[0]!
    return [
      ...(has_apps ? await countAppSecrets(client) : []),
      ...(has_providers ? await countProviderSecrets(client) : []),
      ...(has_keys ? await countSigningKeys(client) : []),
    ]
  })
}

const countAppSecrets = async (client: Client): Promise<SecretCount[]> =>
  (
    await client.query<SecretCount>(
      `select case when octet_length(secret) >= $1 then encode(substr(secret, 2, 8), 'hex') end as key, count(*)::int as count
      from totp_secrets group by 1 order by 1`,
      [MIN_SEALED_BYTES],
    )
  ).rows

const countSigningKeys = async (client: Client): Promise<SecretCount[]> =>
  (
    await client.query<SecretCount>(
      `select encode(substr(sealed, 2, 8), 'hex') as key, count(*)::int as count from signing_keys
        group by 1 order by 1`,
    )
  ).rows

/** Companies' secrets by table and column: of sign-in providers, models and accounting programs. */
const COMPANY_SECRETS = [
  ['company_providers', 'client_secret'],
  ['assistant_models', 'api_key'],
  ['books_connections', 'tokens'],
] as const

/** Counts per company, because the row-level policy also applies to the schema's owner. */
async function countProviderSecrets(client: Client): Promise<SecretCount[]> {
  const { rows: tenants } = await client.query<{ id: string }>('select id from tenants')
  const counts: SecretCount[] = []
  for (const { id } of tenants) {
    await client.query(`select set_config('app.tenant_id', $1, false)`, [id])
    for (const [table, column] of COMPANY_SECRETS) {
      const { rows } = await client.query<SecretCount>(
        `select case when get_byte(${column}, 0) = 1 then encode(substr(${column}, 2, 8), 'hex') end as key, 1 as count
        from ${table} where tenant_id = $1 and ${column} is not null`,
        [id],
      )
      counts.push(...rows)
    }
  }
  return counts
}
