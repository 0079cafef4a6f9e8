import { auditChange } from '../identity/audit.ts'
import { resealText, sealEach, sealText, unsealText, type DataKeys, type SealingCounts } from '../identity/data_keys.ts'
import { requireOwner } from '../identity/permissions/rights.ts'
import type { SealContext } from '../identity/sealing.ts'
import type { Network } from '../identity/public_request.ts'
import type { Config, ModelConfig, ModelProvider } from '../platform/config/config.ts'
import { readTenant, sql, writeTenant, type Database, type Db } from '../platform/db/tenant.ts'
import { invalidField, notFound } from '../platform/errors/refusal.ts'
import { parseField } from '../identity/inputs.ts'
import { text } from '../platform/validation/text/text.ts'
import { fetchPublic } from './models/fetch_public.ts'
import { fetchDirectly, type CompanyModel } from './models/model.ts'
import { refusals } from './refusals.ts'

/** Company's own model as its owners see it: never with the key. Prices are dollars per million tokens. */
export type CompanyModelView = {
  provider: ModelProvider
  model: string
  url: string | null
  has_key: boolean
  input_price: number | null
  output_price: number | null
}

/** Model as an owner enters it. An empty key keeps the stored one. */
export type CompanyModelForm = Record<'provider' | 'model' | 'url' | 'key' | 'input_price' | 'output_price', string>

type ModelRow = CompanyModelView & { api_key: Buffer | null }

const columns = sql`provider, model, url, api_key is not null as has_key, input_price::float8, output_price::float8`

/** Checks whether a company has a model of its own. */
export const hasOwnModel = async (db: Db): Promise<boolean> =>
  (await db.maybe(sql`select from assistant_models where tenant_id = ${db.tenant}`)) !== undefined

export const findCompanyModel = (db: Db): Promise<CompanyModelView | undefined> =>
  db.maybe<CompanyModelView>(sql`select ${columns} from assistant_models where tenant_id = ${db.tenant}`)

/** Returns a company's own model with its key; null if it has none. */
async function readCompanyModel(database: Database, keys: DataKeys, tenant: string): Promise<ModelConfig | null> {
  const row = await readTenant(database, { tenant }, (db) =>
    db.maybe<ModelRow>(sql`select ${columns}, api_key from assistant_models where tenant_id = ${db.tenant}`),
  )
  if (row === undefined) return null
  const { provider, model, url, input_price, output_price, api_key } = row
  const key = api_key === null ? null : unsealText(keys, sealContext(tenant), api_key)
  return { provider, model, url, key, inputPrice: input_price, outputPrice: output_price }
}

type ModelSources = { database: Database; keys: DataKeys; network: Network }

/** Returns the lookup of a company's model: its own, otherwise the installation's. */
export const modelReader =
  ({ database, keys, network }: ModelSources, { assistant }: Pick<Config, 'assistant'>) =>
  async (tenant: string): Promise<CompanyModel | null> => {
    const own = await readCompanyModel(database, keys, tenant)
    if (own !== null) return { config: own, fetchModel: fetchPublic(network), isOwn: true }
    return assistant.model && { config: assistant.model, fetchModel: fetchDirectly, isOwn: false }
  }

/** Connects a company to a model of its own. Requires an owner. */
export async function saveCompanyModel(
  database: Database,
  keys: DataKeys,
  tenant: string,
  form: CompanyModelForm,
  by: { user: string },
): Promise<void> {
  const next = parseForm(form)
  const sealed = next.key === null ? null : sealText(keys, sealContext(tenant), next.key)
  await writeTenant(
    database,
    { tenant },
    async (db) => {
      await requireOwner(db, by)
      const before = await findCompanyModel(db)
      // A stored key is sent only to the provider and address that it was entered for.
      const isSame = before?.provider === next.provider && before.url === next.url
      if (next.provider === 'anthropic' && sealed === null && !(isSame && before.has_key))
        throw invalidField('key', refusals.needsKey())
      await db.run(sql`
        insert into assistant_models as m (tenant_id, provider, model, url, api_key, input_price, output_price)
        values (${tenant}, ${next.provider}, ${next.model}, ${next.url}, ${sealed}, ${next.inputPrice},
          ${next.outputPrice})
        on conflict (tenant_id) do update set provider = excluded.provider, model = excluded.model, url = excluded.url,
          api_key = case when ${isSame} then coalesce(excluded.api_key, m.api_key) else excluded.api_key end,
          input_price = excluded.input_price, output_price = excluded.output_price`)
      return before
    },
    (before) => [
      auditChange(tenant, by, 'companies.set', tenant, {
        assistant_provider: [before?.provider ?? null, next.provider],
        assistant_model: [before?.model ?? null, next.model],
        assistant_url: [before?.url ?? null, next.url],
      }),
    ],
  )
}

/** Disconnects a company's own model. Requires an owner. */
export async function removeCompanyModel(database: Database, tenant: string, by: { user: string }): Promise<void> {
  await writeTenant(
    database,
    { tenant },
    async (db) => {
      await requireOwner(db, by)
      const before = await findCompanyModel(db)
      if (before === undefined) throw notFound('model')
      await db.run(sql`delete from assistant_models where tenant_id = ${db.tenant}`)
      return before
    },
    ({ provider, model }) => [
      auditChange(tenant, by, 'companies.set', tenant, {
        assistant_provider: [provider, null],
        assistant_model: [model, null],
      }),
    ],
  )
}

function parseForm(form: CompanyModelForm): ModelConfig {
  const provider: ModelProvider = form.provider === 'openai-compatible' ? 'openai-compatible' : 'anthropic'
  const url = parseUrl(form.url)
  if (provider === 'openai-compatible' && url === null) throw invalidField('url', refusals.needsUrl())
  const model = parseField(text(200), form.model, 'model')
  if (model == null) throw invalidField('model', refusals.needsModel())
  const key = parseField(text(500), form.key, 'key') ?? null
  return {
    provider,
    model,
    url: provider === 'anthropic' ? null : url,
    key,
    inputPrice: parsePrice('input_price', form.input_price),
    outputPrice: parsePrice('output_price', form.output_price),
  }
}

function parseUrl(address: string): string | null {
  if (address.trim() === '') return null
  const url = address.length > MAX_URL ? null : URL.parse(address.trim())
  if (url === null || url.protocol !== 'https:' || url.username !== '' || url.search !== '')
    throw invalidField('url', refusals.needsUrl())
  return url.href.replace(/[#/]+$/, '')
}

/** Maximum length of a URL in characters. */
const MAX_URL = 300

function parsePrice(field: string, price: string): number | null {
  const trimmed = price.trim()
  if (trimmed === '') return null
  if (!/^\d{1,5}(?:\.\d{1,4})?$/.test(trimmed)) throw invalidField(field, refusals.noPrice({ field }))
  return Number(trimmed)
}

const sealContext = (tenant: string): SealContext => ({ table: 'assistant_models', row: tenant })

/** Seals the companies' model keys with the current data key: plaintext keys, and keys sealed with an earlier one. */
export const sealModelKeys = (database: Database, keys: DataKeys, tenants: readonly string[]): Promise<SealingCounts> =>
  sealEach(database, tenants, (db) => sealOneKey(db, keys))

async function sealOneKey(db: Db, keys: DataKeys): Promise<keyof SealingCounts | null> {
  const row = await db.maybe<{ api_key: Buffer }>(
    sql`select api_key from assistant_models where tenant_id = ${db.tenant} and api_key is not null for update`,
  )
  if (row === undefined) return null
  const sealed = resealText(keys, sealContext(db.tenant), row.api_key)
  if (typeof sealed === 'string') return sealed
  await db.run(sql`update assistant_models set api_key = ${sealed} where tenant_id = ${db.tenant}`)
  return 'sealed'
}
