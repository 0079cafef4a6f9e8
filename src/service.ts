import type { Logger } from 'pino'
import { openDoor } from './access/door.ts'
import { ownKeys, publishedKeys } from './access/jwks.ts'
import { RateLimiter } from './access/rate_limits.ts'
import { openKeyring } from './access/signing_keys.ts'
import { tokenVerifier } from './access/tokens.ts'
import { routes } from './app.ts'
import type { Caller } from './access/caller.ts'
import type { Config } from './config.ts'
import { sql } from './db/database.ts'
import type { Database } from './db/database.ts'
import { entities } from './entities/index.ts'
import { instructions } from './mcp/instructions.ts'
import type { ToolServer } from './mcp/types.ts'
import { openAuthorizationServer } from './oauth/server.ts'
import type { Opening } from './oauth/server.ts'
import { issuerPathOf } from './oauth/well_known.ts'
import { openStorage } from './messages/storage.ts'
import { listen } from './server.ts'
import { callTool } from './tools/call.ts'
import { catalogueOf, partOf } from './tools/catalogue.ts'
import type { Catalogue } from './tools/catalogue.ts'
import { VERSION } from './version.ts'
import { openSite } from './web/site.ts'
import { openWebhooks } from './webhooks/endpoints.ts'
import type { Chore } from './worker/chore.ts'
import { CHORES } from './worker/chores.ts'
import { uploads } from './worker/uploads.ts'
import { startWorker } from './worker/worker.ts'

export type Service = { port: number; stop(graceMs?: number): Promise<void> }

/** What tests put in the place of the network. */
export type Outside = Pick<Opening, 'fetchDocument' | 'limits'>

/** The service on an open database: one object of each kind, made once. With `chores` it does the periodic work too. */
export async function startService(config: Config, database: Database, log: Logger, chores: readonly Chore[] | null = CHORES, outside: Outside = {}): Promise<Service> {
  let stopping = false
  const limits = { credential: config.rateLimitPerCredential, tenant: config.rateLimitPerTenant }
  const keyring = openKeyring(database)
  const authorization = issuerPathOf(config) === null ? undefined : openAuthorizationServer({ config, database, keyring, log, ...outside })
  const verify = tokenVerifier({
    issuer: config.authUrl, audience: `${config.baseUrl}/api/mcp`,
    keys: authorization !== undefined ? ownKeys(keyring) : publishedKeys(`${config.authUrl}/.well-known/jwks.json`),
  })
  const door = openDoor(database, new RateLimiter(database, limits), config, verify)
  const report = (reference: string, error: unknown): void => log.error({ reference, err: error }, 'fault')
  const place = { database, confirm: door.confirm, baseUrl: config.baseUrl, report }
  const toolServer = (catalogue: Catalogue): ToolServer<Caller> => ({
    name: config.serviceName, version: VERSION, instructions,
    toolsJson: JSON.stringify(catalogue.descriptions),
    hasTool: (name) => catalogue.tools.has(name),
    nearestTool: catalogue.nearest,
    toolsets: entities.map(({ name }) => name),
    only: (part) => toolServer(partOf(catalogue, part)),
    callTool: (caller, name, given, { client }) => callTool(place, { listed: catalogue.tools.get(name)!, caller, client, given }),
  })
  const handler = routes({
    door, log, config, authorization,
    site: openSite(place, config, (line) => log.info(line, 'page')),
    webhooks: openWebhooks(config, database, log),
    isReady: async () => !stopping && (await database.send([sql`select 1`]).then(() => true, () => false)),
    tools: toolServer(catalogueOf(entities)),
  })
  const { port, stop } = await listen(handler, config)
  const worker = chores && startWorker(database, log, [...chores, uploads(openStorage(config.storage))])
  return {
    port,
    stop: async (graceMs?: number) => {
      stopping = true
      await Promise.all([stop(graceMs), worker?.stop()])
    },
  }
}
