import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { Batch } from '../../src/platform/db/connections/batch.ts'
import { Sql } from 'sql-template-tag'
import { pipelineQueries, type Db } from '../../src/platform/db/tenant.ts'
import { entities } from '../../src/records/index.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { auditOf } from '../../src/tools/call/audit.ts'
import { toolCatalogOf } from '../../src/tools/declare/catalog.ts'
import { callerIn, type Setup } from '../setup.ts'
import { report } from './report.ts'

// The floor: node:http, the same SQL in one round trip as a superuser without row-level security, no checks at all. A create is
// the insert of its record and that of its audit row, and nothing else.
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
const db = (): Db => pipelineQueries(setup.tenant, send)

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
    const body = method === 'tools/list' ? toolsList : await callTool(id, params)
    res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }).end(body)
  }
})

async function callTool(id: number, { name, arguments: args }: { name: string; arguments: object }): Promise<string> {
  const { tool } = catalog.tools.get(name)!
  const { result } =
    tool.verb === 'create'
      ? await repeatCreate(name, args)
      : await tool.run({ db: db(), caller, baseUrl: '' }, { limit: 25, ...args } as never)
  return `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":${JSON.stringify(JSON.stringify(result))}}],"isError":false}}`
}

type Inserts = { result: Record<string, unknown>; statements: readonly Sql[] }

const inserts = new Map<string, Promise<Inserts>>()

/** Runs the two inserts of a create again under a new id. */
async function repeatCreate(name: string, args: object): Promise<Pick<Inserts, 'result'>> {
  if (!inserts.has(name)) inserts.set(name, insertsOf(name, args))
  const { result, statements } = await inserts.get(name)!
  const [id, audit] = [newId(), newId()]
  await send(
    statements.map((statement, i) => {
      const values = statement.values.map((value) => (value === result['id'] ? id : value))
      if (i === 1) values[1] = audit
      return new Sql(statement.strings, values)
    }),
  )
  return { result: { ...result, id } }
}

/** Runs a create as the service does, once, and returns the inserts of its record and of its audit row. */
async function insertsOf(name: string, args: object): Promise<Inserts> {
  const listed = catalog.tools.get(name)!
  const sentStatements: Sql[] = []
  const watched = pipelineQueries(setup.tenant, (statements) => {
    sentStatements.push(...statements)
    return send(statements)
  })
  const outcome = await listed.tool.run({ db: watched, caller, baseUrl: '' }, listed.tool.input.parse(args) as never)
  const deadline = { by: Infinity, signal: new AbortController().signal }
  const record = sentStatements.find(({ text }) => text.trimStart().startsWith(`insert into ${listed.entity.name} `))
  const [audit] = auditOf({ listed, caller, client: null, input: args, deadline }, outcome)
  if (record === undefined || audit === undefined) throw new Error(`${name} inserted no record or no audit row`)
  return { result: outcome.result, statements: [record, audit] }
}

server.listen(0, '127.0.0.1', () => report((server.address() as AddressInfo).port))
