import assert from 'node:assert/strict'
import { it } from 'node:test'
import pino from 'pino'
import { createKey, listKeys } from '../../src/identity/credentials/keys.ts'
import { createTenant } from '../../src/identity/companies/tenants.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { startService } from '../../src/start/service.ts'
import { makeDatabase } from '../harness/harness.ts'

it('an API key records when it was last used', async () => {
  const { database, drop } = await makeDatabase()
  const service = await startService(
    readConfig({ PORT: '0', BASE_URL: 'http://callout.test' }),
    database,
    pino({ level: 'silent' }),
    null,
  )
  const { id: tenant } = await createTenant(database, {
    name: 'Alder',
    timezone: 'America/New_York',
    currency: 'USD',
    country: 'US',
    owner: { email: 'ana@example.com', password: 'none' },
  })
  const makeKey = (name: string) =>
    createKey(database, { tenant }, { user: null, name, scopes: ['read:customers'], expires_at: null })
  const [used, idle] = [await makeKey('Used'), await makeKey('Idle')]
  const begun = Date.now()
  const answer = await fetch(`http://127.0.0.1:${service.port}/api/mcp`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    headers: {
      authorization: `Bearer ${used.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
  })
  assert.equal(answer.status, 200)
  await service.stop()
  const at = new Map((await listKeys(database, { tenant })).map(({ id, last_used_at }) => [id, last_used_at]))
  assert.equal(at.get(idle.id), null)
  assert.ok(Math.abs(Date.parse(at.get(used.id)!) - begun) < 60_000)
  await drop()
})
