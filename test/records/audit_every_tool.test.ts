import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { entities } from '../../src/records/index.ts'
import { toolCatalogOf, type ListedTool } from '../../src/tools/declare/catalog.ts'
import { ARGUMENTS, makeRecords, type Records } from '../harness/clients/every_tool.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'
import { rpc, toolHeaders } from '../harness/http.ts'
import { openWitness, type Witness } from '../harness/clients/witness.ts'

const tools = [...toolCatalogOf(entities).tools.values()]
const writing = tools.filter(({ tool }) => !tool.reads)
const reading = tools.filter(({ tool }) => tool.reads)

let service: TestService
let witness: Witness
let company: Company
let records: Records
before(async () => {
  service = await startTestService()
  witness = await openWitness(service)
  company = await makeCompany(service)
  records = await makeRecords(company, 'Audited')
})
after(async () => {
  await witness.close()
  await service.stop()
})

/** Calls a tool as a client with a name. */
async function call(name: string, given: object): Promise<Result> {
  const params = {
    name,
    arguments: given,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'audited-client', version: '1' },
    },
  }
  const headers = {
    ...toolHeaders(company.owner.key),
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': name,
  }
  const { result } = (await (
    await fetch(service.url, { method: 'POST', headers, body: rpc('tools/call', params) })
  ).json()) as Result
  assert.equal(result?.isError, false, `${name} ${JSON.stringify(given)}: ${JSON.stringify(result)}`)
  return JSON.parse(result.content[0].text) as Result
}

const rowsSince = (count: number): Promise<Result[]> =>
  witness.rows(
    'select tenant_id, tool, user_id, credential_id, client, record_type, record_id, changed, at <= clock_timestamp() as is_past from audit order by at, id offset $1',
    count,
  )
const count = async (): Promise<number> => Number(await witness.value('select count(*)::int from audit'))

/** Checks whether a tool ends its record, so that it needs its own. */
const isFinal = ({ tool }: ListedTool): boolean => !['create', 'update'].includes(tool.verb)

/** Ends active plans and series, because a customer with active work can't be archived. */
async function endWork(of: Records): Promise<void> {
  await call('plans_cancel', { id: of.plan })
  await call('job_series_end', { id: of.series })
}

describe('every tool that writes', () => {
  it('has sample arguments for this test', () => {
    assert.equal(writing.length, 3 * entities.length)
    assert.deepEqual(
      writing.filter(({ wire }) => !(wire in ARGUMENTS)),
      [],
    )
  })

  for (const listed of writing) {
    const { wire, canonical, entity } = listed
    it(`${canonical} adds one audit row per changed record, with user, key, client and fields`, async () => {
      const of = isFinal(listed) ? await makeRecords(company, `Audited${wire.replaceAll('_', '')}`) : records
      if (wire === 'customers_archive') await endWork(of)
      for (const given of ARGUMENTS[wire]!(of)) {
        const earlier = await count()
        const result = await call(wire, given)
        const rows = await rowsSince(earlier)
        const common = {
          tenant_id: company.tenant,
          tool: canonical,
          user_id: company.owner.id,
          credential_id: company.owner.credential,
          client: 'audited-client',
          is_past: true,
        }
        const madeWith = wire === 'customers_create' ? ['contact', 'location'] : []
        assert.deepEqual(
          rows,
          rows.map(({ record_id, record_type, changed }) => ({ ...common, record_id, record_type, changed })),
        )
        assert.deepEqual(
          rows.filter(({ record_type }) => ![entity.singular, ...madeWith].includes(String(record_type))),
          [],
        )
        assert.equal(rows.find(({ record_id }) => record_id === result['id'])!['record_type'], entity.singular)
        assert.equal(rows.filter(({ record_id }) => record_id === result['id']).length, 1)
        assert.equal(new Set(rows.map(({ record_id }) => record_id)).size, rows.length)
        for (const { changed } of rows) {
          const changes = Object.entries(changed as object)
          assert.ok(changes.length > 0, `${canonical} says no change`)
          for (const [, pair] of changes)
            assert.ok(Array.isArray(pair) && pair.length === 2 && JSON.stringify(pair[0]) !== JSON.stringify(pair[1]))
        }
      }
    })
  }
})

describe('tools that read', () => {
  it('add no audit rows', async () => {
    const earlier = await count()
    for (const { wire } of reading) for (const given of ARGUMENTS[wire]!(records)) await call(wire, given)
    assert.equal(await count(), earlier)
  })
})
