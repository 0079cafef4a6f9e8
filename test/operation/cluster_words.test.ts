import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client } from 'pg'
import pino from 'pino'
import { startService } from '../../src/start/service.ts'
import { CLUSTER } from '../harness/database/cluster.ts'
import { ARGUMENTS, makeRecords } from '../harness/clients/every_tool.ts'
import { callerOf, makeCompany, startTestService, type TestService } from '../harness/harness.ts'
import { listUnroutable, recordStatements, type SentStatement } from '../harness/messaging/statements.ts'
import { openOffice } from '../harness/identity/people_pages.ts'
import { freePort } from '../harness/web_client.ts'

describe(
  'statements for a cluster',
  { skip: CLUSTER !== undefined && 'cluster.test.ts asks the cluster itself' },
  () => {
    let service: TestService
    let client: Client
    let end = (): Promise<void> => Promise.resolve()
    const sent = new Map<string, SentStatement>()
    before(async () => {
      service = await startTestService()
      const port = await freePort()
      const config = { ...service.config, port, baseUrl: `http://127.0.0.1:${port}` }
      const asked = await startService(
        config,
        recordStatements(service.database, sent),
        pino({ level: 'silent' }),
        null,
      )
      end = () => asked.stop(0)
      client = new Client(service.login)
      await client.connect()
      const { owner, member, call: make } = await makeCompany(service)
      await member('tech')
      const { send } = callerOf(`${config.baseUrl}/api/mcp`, owner.key)
      const mine = await makeRecords({ call: make, owner }, 'Alpha')
      for (const [tool, variants] of Object.entries(ARGUMENTS))
        for (const given of variants(mine)) await send(tool, given)
      const office = await openOffice({ ...service, url: `${config.baseUrl}/api/mcp`, config }, 'Paged')
      await makeRecords({ call: office.call, owner: { id: office.owner.user_id } }, 'Beta')
      const found = new Set([office.at()])
      for (const path of found) {
        const { text } = await office.browser.get(path)
        for (const [, link = ''] of text.matchAll(/href="([^"#?]+)/g))
          if (link.startsWith(office.at()) && found.size < 60) found.add(link)
      }
    })
    after(async () => {
      await end()
      await client.end()
      await service.stop()
    })

    it('can be planned by PostgreSQL for every tool and page', async () => {
      assert.ok(sent.size > 300, `${sent.size} statements`)
      assert.ok([...sent.keys()].some((text) => text.endsWith('returning true as written')))
      assert.ok([...sent.keys()].some((text) => text.startsWith('with written as (')))
      assert.deepEqual(await listUnroutable(client, sent), [])
    })

    it("filter subqueries by the tenant's value rather than the outer row's tenant_id", () => {
      const through =
        /\(\s*select\b(?:(?!\bfrom\b)[^])*?\bfrom [a-z_]+ ([a-z]+)\s+where \1\.tenant_id = [a-z_]+\.tenant_id\b/
      assert.deepEqual(
        [...sent].filter(([text, { entered }]) => entered !== undefined && through.test(text)).map(([text]) => text),
        [],
      )
    })
  },
)
