import type { Logger } from 'pino'
import { openDoor } from './access/door.ts'
import { ownKeys, publishedKeys } from './access/jwks.ts'
import { RateLimiter } from './access/rate_limits.ts'
import { openKeyring } from './access/signing_keys.ts'
import { tokenVerifier } from './access/tokens.ts'
import { routes } from './app.ts'
import type { Config } from './config.ts'
import { sql } from './db/database.ts'
import type { Database } from './db/database.ts'
import { entities } from './entities/index.ts'
import { instructions } from './mcp/instructions.ts'
import { listen } from './server.ts'
import { callTool } from './tools/call.ts'
import { catalogueOf } from './tools/catalogue.ts'
import { VERSION } from './version.ts'
import type { Chore } from './worker/chore.ts'
import { CHORES } from './worker/chores.ts'
import { startWorker } from './worker/worker.ts'

export type Service = { port: number; stop(graceMs?: number): Promise<void> }

/** The service on an open database: one object of each kind, made once. With `chores` it does the periodic work too. */
export async function startService(config: Config, database: Database, log: Logger, chores: readonly Chore[] | null = CHORES): Promise<Service> {
  let stopping = false
  const limits = { credential: config.rateLimitPerCredential, tenant: config.rateLimitPerTenant }
  const keyring = openKeyring(database)
  const isOwnIssuer = config.authUrl.startsWith(`${config.baseUrl}/`)
  const verify = tokenVerifier({
    issuer: config.authUrl, audience: `${config.baseUrl}/api/mcp`,
    keys: isOwnIssuer ? ownKeys(keyring) : publishedKeys(`${config.authUrl}/.well-known/jwks.json`),
  })
  const door = openDoor(database, new RateLimiter(database, limits), config, verify)
  const catalogue = catalogueOf(entities)
  const place = {
    database, confirm: door.confirm, baseUrl: config.baseUrl,
    report: (reference: string, error: unknown) => log.error({ reference, err: error }, 'fault'),
  }
  const handler = routes({
    door, log,
    isReady: async () => !stopping && (await database.send([sql`select 1`]).then(() => true, () => false)),
    tools: {
      name: config.serviceName, version: VERSION, instructions,
      toolsJson: JSON.stringify(catalogue.descriptions),
      hasTool: (name) => catalogue.tools.has(name),
      nearestTool: catalogue.nearest,
      callTool: (caller, name, given, { client }) => callTool(place, { listed: catalogue.tools.get(name)!, caller, client, given }),
    },
  })
  const { port, stop } = await listen(handler, config)
  const worker = chores && startWorker(database, log, chores)
  return {
    port,
    stop: async (graceMs?: number) => {
      stopping = true
      await Promise.all([stop(graceMs), worker?.stop()])
    },
  }
}
