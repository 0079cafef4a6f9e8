import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import pino from 'pino'
import { createKey } from '../../src/identity/credentials/keys.ts'
import { SCOPES } from '../../src/identity/permissions/scopes.ts'
import { sql, type Database } from '../../src/platform/db/database.ts'
import { LIMITS } from '../../src/identity/oauth/limits.ts'
import { MAILBOXES, NUMBERS, addChannel } from '../../src/messaging/inbox/directory.ts'
import { entities } from '../../src/records/index.ts'
import { configurableTasks } from '../../src/worker/configurable_tasks.ts'
import { PERIODIC_TASKS } from '../../src/worker/periodic_tasks.ts'
import { enrollAll, runDue } from '../../src/worker/worker.ts'
import { LOOPBACK_NETWORK, startCompanyProvider } from '../../test/harness/identity/company_provider.ts'
import { writeTown } from '../../test/harness/files/map_archive.ts'
import { startCheckoutProvider } from '../../test/harness/money/checkout_provider.ts'
import { callerOf, type TestService } from '../../test/harness/harness.ts'
import { PASSWORD, createCompany, startSite } from '../../test/harness/web_client.ts'
import { WEBHOOK_ENV } from '../../test/harness/clients/webhook_calls.ts'
import { startProvider } from '../../test/assistant/provider.ts'
import { SENDERS } from '../../test/sending/scene.ts'

/** A company with a record of each kind, and its owner in a browser and with a key. */
export type Office = {
  service: TestService
  /** Payments provider of the service. */
  checkout: Awaited<ReturnType<typeof startCheckoutProvider>>
  /** Address of the owner, whose password is that of the tests. */
  owner: string
  key: string
  mailbox: string
  number: string
  /** Record ids by the field names that refer to them. */
  ids: ReadonlyMap<string, string>
  /** Ids by the path step that they fill, or that comes before them, for routes without a record's id. */
  inner: Map<string, string>
  /** Returns the addresses that a pattern of the pages has here, of records by the names of their kinds. */
  pathsOf(pattern: string, records?: ReadonlyMap<string, string>): string[]
  tenant: string
  /** Returns the errors that the service logged since the last call, whatever it answered. */
  faults(): string[]
  /** Addresses that take file uploads. */
  filePaths: readonly string[]
  /** Returns the fields of the forms at an address, as the owner or with a cookie. */
  fieldsAt(path: string, cookie?: string): Promise<[string, string][]>
  cookie(): string
  /** Runs the tasks that are due, as the worker would. The clock advances by minutes each time. */
  work(): Promise<void>
  /** Signs in again if a request signed the person out, and clears their rate limit counts. */
  refresh(): Promise<void>
  stop(): Promise<void>
}

/** Limits far above what the bench sends, so that rate limiting doesn't hide slow requests. */
const NO_LIMITS = Object.fromEntries(Object.keys(LIMITS).map((name) => [name, 1_000_000_000])) as typeof LIMITS

/** Minutes that the clock advances per turn, so that a run of hundreds of turns includes nights. */
const MINUTES_BETWEEN = 10

/** Other parties' services, on this machine: identity providers, and a model provider. */
export type Outside = Awaited<ReturnType<typeof startOutside>>

/** Starts the identity providers of the installation and of a company, and the assistant's model provider. */
export async function startOutside() {
  const [installation, provider] = [await startCompanyProvider({ isPlain: true }), await startCompanyProvider()]
  const model = await startProvider()
  return {
    installation,
    provider,
    model,
    network: LOOPBACK_NETWORK,
    env: {
      ...SENDERS,
      ...model.settings('anthropic'),
      OIDC_ISSUER: installation.issuer,
      OIDC_CLIENT_ID: 'callout',
      OIDC_CLIENT_SECRET: 'secret',
      OIDC_NAME: 'Identity Inc',
    },
    stop: async (): Promise<void> => {
      await installation.stop()
      await provider.stop()
      await model.stop()
    },
  }
}

/** Opens an office. `through` can wrap the database of the service and its worker, to watch it. */
export async function openOffice(
  through: (database: Database) => Database = (one) => one,
  { env, network }: Partial<Pick<Outside, 'env' | 'network'>> = {},
): Promise<Office> {
  const [checkout, town] = [await startCheckoutProvider(), await writeTown()]
  const faults: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void faults.push(line) })
  const service = await startSite(
    {
      ...WEBHOOK_ENV,
      PAYMENTS_API_URL: checkout.apiUrl,
      MAP_TILES: town,
      VAPID_PRIVATE_KEY: Buffer.alloc(32, 1).toString('base64'),
      ...env,
    },
    { log, through, limits: NO_LIMITS, ...(network && { network }) },
  )
  const company = await createCompany(service, 'Bench')
  const { key } = await createKey(
    service.database,
    { tenant: company.id },
    { user: company.owner.user_id, name: 'Bench', scopes: SCOPES, expires_at: null },
  )
  const [mailbox, number] = ['jobs@in.example.com', '+16175550001']
  await addChannel(service.database, NUMBERS, company.id, number)
  await addChannel(service.database, MAILBOXES, company.id, mailbox)
  const records = await createRecords(callerOf(service.url, key).call)
  const inner = new Map<string, string>()
  let session = ''

  async function refresh(): Promise<void> {
    await service.database.send([sql`delete from attempts`])
    const response = await fetch(new URL(`/${company.id}`, service.config.baseUrl), {
      redirect: 'manual',
      headers: { cookie: session },
    })
    if (response.status === 200) return
    session = await sessionOf(service, company.owner.email)
  }

  const database = through(service.database)
  const tasks = [...PERIODIC_TASKS, ...configurableTasks(service.config, database)]
  let minutes = 0
  async function work(): Promise<void> {
    const clock = (): Temporal.Instant => Temporal.Now.instant().add({ minutes })
    const worker = { database, log, clock, stopping: new AbortController().signal }
    if (minutes === 0) await enrollAll(worker, tasks)
    minutes += MINUTES_BETWEEN
    await runDue(worker, tasks)
  }

  async function fieldsAt(path: string, cookie = session): Promise<[string, string][]> {
    const page = await (
      await fetch(new URL(`${path}?customer_id=${records.get('customers')!}`, service.config.baseUrl), {
        headers: { cookie },
      })
    ).text()
    return [...page.matchAll(/<(?:input|textarea|select)\b[^>]*\sname="([^"]*)"(?:[^>]*\svalue="([^"]*)")?/g)].map(
      ([, name, value]) => [name!, value ?? ''],
    )
  }

  await refresh()
  const job = records.get('jobs')!
  return {
    service,
    checkout,
    owner: company.owner.email,
    key,
    mailbox,
    number,
    fieldsAt,
    inner,
    refresh,
    work,
    ids: new Map<string, string>([
      ['subject_id', job],
      ['id', job],
      ...entities.flatMap(({ name, singular }): [string, string][] =>
        records.has(name) ? [[`${singular}_id`, records.get(name)!]] : [],
      ),
    ]),
    pathsOf: (pattern, ids = records) =>
      alternativesOf(pattern).flatMap((one) =>
        fillPattern(one.replace(/\{(?:[^{}]|\{[\d,]*\})*\}/g, '').replace(':tenant', company.id), ids, inner),
      ),
    tenant: company.id,
    faults: () => faults.splice(0),
    filePaths: [
      `/${company.id}/jobs/${job}/media`,
      `/${company.id}/customers/import`,
      `/${company.id}/settings/import`,
    ],
    cookie: () => session,
    stop: async () => {
      await service.stop()
      await checkout.stop()
      await rm(dirname(town), { recursive: true })
    },
  }
}

/** Signs a person in, and returns the session cookie. */
export async function sessionOf({ config }: TestService, email: string): Promise<string> {
  const body = new URLSearchParams({ email, password: PASSWORD })
  const answer = await fetch(new URL('/sign-in', config.baseUrl), {
    method: 'POST',
    redirect: 'manual',
    body,
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  return answer.headers.getSetCookie()[0]!.split(';')[0]!
}

/** Returns a pattern once for each value that one of its steps can have. */
function alternativesOf(pattern: string): string[] {
  const [step, words] = /:\w+\{([a-z]+(?:\|[a-z]+)+)\}/.exec(pattern) ?? []
  return step === undefined
    ? [pattern]
    : words!.split('|').flatMap((word) => alternativesOf(pattern.replace(step, word)))
}

/** Returns the addresses of a pattern for a record of its kind: one for each action if it takes actions. */
function fillPattern(pattern: string, made: ReadonlyMap<string, string>, inner: ReadonlyMap<string, string>): string[] {
  const entity = entities.find(({ name }) => pattern.split('/').includes(name))
  const id = made.get(entity?.name ?? 'jobs') ?? made.get('jobs')!
  const [path = '', action] = pattern
    .replaceAll(
      /(?<=([^/]*)\/)(:(?!action)\w+)\??/g,
      (_, last: string, step: string) => inner.get(step) ?? inner.get(last) ?? id,
    )
    .split('/do/')
  return action === undefined
    ? [path]
    : [...entity!.tools, ...entity!.pageActions]
        .filter(({ reads }) => !reads)
        .map(({ verb }) => `${path}/do/${entity!.name}_${verb}`)
}

async function createRecords(call: ReturnType<typeof callerOf>['call']): Promise<Map<string, string>> {
  const made = new Map<string, string>()
  const make = async (name: string, args: object): Promise<string> => {
    const id = String((await call(`${name}_create`, args))['id'])
    made.set(name, id)
    return id
  }
  const customer_id = await make('customers', { customer_type: 'individual', first_name: 'Ana' })
  await make('locations', { customer_id, address_line1: '1 Elm' })
  await make('contacts', { customer_id, first_name: 'Leo' })
  await make('tags', { name: 'Gold' })
  await make('tax_rates', { name: 'City', rate_percentage: 8 })
  await make('catalog_categories', { name: 'Heating' })
  await make('catalog_items', { name: 'Boiler', kind: 'product', unit_price_cents: 100 })
  await make('jobs', { customer_id, title: 'Boiler' })
  await make('notes', { body: 'Gate code 4417', subject_type: 'customer', subject_id: customer_id })
  const line_items = [{ name: 'Boiler', unit_price_cents: 100 }]
  await make('quotes', { customer_id, title: 'Boiler', line_items })
  await make('invoices', { customer_id, line_items })
  return made
}
