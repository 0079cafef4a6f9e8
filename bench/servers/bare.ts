import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { Batch } from '../../src/db/batch.ts'
import { pipelined, type Db, type Sql } from '../../src/db/tenant.ts'
import { entities } from '../../src/entities/index.ts'
import { toolCatalogOf } from '../../src/tools/catalog.ts'
import { callerIn, type Setup } from '../setup.ts'
import { report } from './report.ts'

// The floor: node:http, the same SQL in one round trip as a superuser without row-level security, no checks at all.
const setup = JSON.parse(process.argv[2]!) as Setup
const caller = callerIn(setup)
const pool = new pg.Pool({ ...setup.owner, max: 10, options: '-c timezone=UTC -c jit=off' })
const catalog = toolCatalogOf(entities)
const toolsList = Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{"tools":${JSON.stringify(catalog.descriptions)}}}`)

const send = async (statements: readonly Sql[]) => {
  const client = await pool.connect()
  try {
    return await client.query(new Batch(statements)).answers
  } finally {
    client.release()
  }
}
const db = (): Db => pipelined(setup.tenant, send)

const server = createServer((req, res) => {
  const chunks: Buffer[] = []
  req.on('data', (chunk: Buffer) => chunks.push(chunk))
  req.on('end', () => void answer(JSON.parse(Buffer.concat(chunks).toString())))
  async function answer({
    id,
    method,
    params,
  }: {
    id: number
    method: string
    params: { name: string; arguments: never }
  }): Promise<void> {
    const body = method === 'tools/list' ? toolsList : await called(id, params)
    res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }).end(body)
  }
})

async function called(id: number, { name, arguments: given }: { name: string; arguments: object }): Promise<string> {
  const { tool } = catalog.tools.get(name)!
  const { result } = await tool.run({ db: db(), caller, baseUrl: '' }, { limit: 25, ...given } as never)
  return `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":${JSON.stringify(JSON.stringify(result))}}],"isError":false}}`
}

server.listen(0, '127.0.0.1', () => report((server.address() as AddressInfo).port))
