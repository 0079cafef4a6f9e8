import pino from 'pino'
import type { Ceiling, Role } from '../../../src/identity/permissions/areas.ts'
import { startService } from '../../../src/start/service.ts'
import { callerOf, makeCompany, startTestService } from '../../harness/harness.ts'
import { rpc, toolHeaders } from '../../harness/http.ts'
import { openWitness } from '../../harness/clients/witness.ts'

export type AccessScene = Awaited<ReturnType<typeof openAccessScene>>

/** Starts two processes on one database, with a company and a connection that changes rows behind both. */
export async function openAccessScene() {
  const service = await startTestService()
  const second = await startService(service.config, service.database, pino({ level: 'silent' }), null)
  const witness = await openWitness(service)
  const company = await makeCompany(service)
  return {
    service,
    witness,
    company,
    /** Returns a caller of the second process. */
    callerElsewhere: (key: string) => callerOf(`http://127.0.0.1:${second.port}/api/mcp`, key),
    setMember: (user: string, changes: { ceiling?: Ceiling; role?: Role; deactivated?: boolean }): Promise<unknown> =>
      witness.rows(
        `
  update members set ceiling = coalesce($2, ceiling), role = coalesce($3, role), deactivated_at = case when $4 then $5::timestamptz when not $4 then null else deactivated_at end
  where user_id = $1`,
        user,
        changes.ceiling ?? null,
        changes.role ?? null,
        changes.deactivated ?? null,
        new Date(),
      ),
    async statusOf(key: string, body: string, headers: Record<string, string> = {}): Promise<number> {
      const response = await fetch(service.url, { method: 'POST', headers: { ...toolHeaders(key), ...headers }, body })
      await response.text()
      return response.status
    },
    async stop(): Promise<void> {
      await witness.close()
      await second.stop(0)
      await service.stop()
    },
  }
}

export const toolCall = (name: string, given: object) => rpc('tools/call', { name, arguments: given })
const stateless = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
}

/** Requests of every kind that needs a valid credential. */
export const requestKinds: [kind: string, body: string, headers?: Record<string, string>][] = [
  ['a read', toolCall('tags_list', {})],
  ['a write', toolCall('customers_create', { customer_type: 'individual', first_name: 'Ana' })],
  ['a call that is refused for its arguments', toolCall('tags_list', { page: 0 })],
  ['a call that finds nothing', toolCall('tags_get', { id: '00000000-0000-7000-8000-000000000000' })],
  ['a call of no tool', toolCall('tags.list', {})],
  ['tools/list', rpc('tools/list')],
  [
    'tools/list of 2026-07-28',
    rpc('tools/list', { _meta: stateless }),
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' },
  ],
  [
    'server/discover',
    rpc('server/discover', { _meta: stateless }),
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' },
  ],
  [
    'initialize',
    rpc('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }),
  ],
  ['ping', rpc('ping')],
]
