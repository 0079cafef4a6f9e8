import { sealModelKeys } from '../../assistant/company_models.ts'
import { sealBooksTokens } from '../../books/connection/tokens.ts'
import { sealSigningKeys } from '../../identity/credentials/tokens/sealed_keys.ts'
import { openDataKeys, type SealingCounts } from '../../identity/data_keys.ts'
import { listTenants } from '../../identity/companies/tenants.ts'
import { sealTotpSecrets } from '../../identity/factors/app_secrets.ts'
import { sealCompanySecrets } from '../../identity/providers/company/company_secret.ts'
import { invalid } from '../../platform/errors/refusal.ts'
import { command } from '../command.ts'
import { withDatabase } from '../with_database.ts'

export const dataKeyCommand = command({
  name: 'data-key seal',
  description:
    "Encrypts secrets with DATA_KEY: authenticator apps, token signing keys, and companies' providers, models and " +
    'accounting programs. Includes secrets in plain text and those encrypted with an earlier key.',
  options: {},
  run: () =>
    withDatabase(async ({ database, owner }, { dataKey }) => {
      const keys = openDataKeys(dataKey)
      const key = keys.sealingKey()
      if (key === null)
        throw invalid('DATA_KEY must be set if DATABASE_URL is; create one with openssl rand -base64 32')
      const tenants = (await listTenants(owner)).map(({ id }) => id)
      const totals = [
        await sealTotpSecrets(database, keys),
        await sealCompanySecrets(database, keys, tenants),
        await sealModelKeys(database, keys, tenants),
        await sealBooksTokens(database, keys, tenants),
        await sealSigningKeys(database, keys),
      ].reduce(addCounts)
      const warning =
        totals.unopened === 0 ? '' : `; no key here decrypts ${totals.unopened}: callout doctor names the missing keys`
      const text = `Key ${key.id}: ${totals.sealed} encrypted, ${totals.before} already encrypted${warning}`
      return { json: { key: key.id, ...totals }, text, failed: totals.unopened > 0 }
    }),
})

const addCounts = (one: SealingCounts, other: SealingCounts): SealingCounts => ({
  sealed: one.sealed + other.sealed,
  before: one.before + other.before,
  unopened: one.unopened + other.unopened,
})
