import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { z } from 'zod'
import { openDatabase } from '../../src/platform/db/database.ts'
import { readTenant } from '../../src/platform/db/tenant.ts'
import { entities } from '../../src/records/index.ts'
import { toolCatalogOf } from '../../src/tools/declare/catalog.ts'
import { callerIn, type Setup } from '../setup.ts'
import { report } from './report.ts'

// The usual approach: a server object of the official SDK with the same tools, built for each request, on the same database.
const setup = JSON.parse(process.argv[2]!) as Setup
const caller = callerIn(setup)
const database = openDatabase(setup.login)
const catalog = toolCatalogOf(entities)
for (const { tool } of catalog.tools.values()) declareNumbers(tool.input)

function build(): McpServer {
  const server = new McpServer({ name: 'sdk', version: '1' })
  for (const [name, { tool }] of catalog.tools) {
    server.registerTool(
      name,
      { title: tool.title, description: tool.description, inputSchema: tool.input.shape },
      async (args: unknown) => {
        const { result } = await readTenant(database, { tenant: setup.tenant }, (db) =>
          tool.run({ db, caller, baseUrl: '' }, args as never),
        )
        return { content: [{ type: 'text' as const, text: JSON.stringify(result) }] }
      },
    )
  }
  return server
}

const server = createServer((req, res) => {
  void (async () => {
    const mcp = build()
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
    res.on('close', () => void mcp.close())
    await mcp.connect(transport as unknown as Transport)
    await transport.handleRequest(req, res)
  })()
})

/** Declares custom types as numbers in JSON Schema. Without that, the SDK doesn't list tools that have them in their input. */
function declareNumbers(part: unknown, seen = new Set<unknown>()): void {
  if (typeof part !== 'object' || part === null || seen.has(part)) return
  seen.add(part)
  if (!('_zod' in part)) return Object.values(part).forEach((inner) => declareNumbers(inner, seen))
  const { _zod: inner } = part as z.ZodType
  if (inner.def.type === 'custom') inner.processJSONSchema = (_context, schema) => void (schema.type = 'number')
  declareNumbers([inner.parent, inner.def], seen)
}

server.listen(0, '127.0.0.1', () => report((server.address() as AddressInfo).port))
