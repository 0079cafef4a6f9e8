import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { entities } from '../../../src/records/index.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../../harness/harness.ts'

let service: TestService
let company: Company
let customer: string
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
  customer = (await company.call('customers_create', { customer_type: 'individual', first_name: 'Ana' }))['id']
})
after(() => service.stop())

const INSPECTOR = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.url),
)

/** Runs the inspector's command line. Returns its result, and its stderr as `remarks`. */
const inspecting =
  (era: string) =>
  (...args: string[]): Promise<{ result: Result; remarks: string }> =>
    new Promise((resolve, reject) => {
      const options = [
        '--cli',
        '--transport',
        'http',
        '--protocol-era',
        era,
        '--server-url',
        service.url,
        '--header',
        `Authorization: Bearer ${company.owner.key}`,
      ]
      execFile(process.execPath, [INSPECTOR, ...options, ...args], (error, stdout, stderr) =>
        error ? reject(new Error(stdout + stderr)) : resolve({ result: JSON.parse(stdout) as Result, remarks: stderr }),
      )
    })

for (const era of ['legacy', 'modern']) {
  const inspect = inspecting(era)

  describe(`inspector, ${era}`, () => {
    it('accepts every tool schema (--strict)', async () => {
      const {
        result: { tools },
        remarks,
      } = await inspect('--method', 'tools/list', '--strict')
      assert.equal(tools.length, entities.length * 5)
      assert.equal(remarks, '')
    })

    it('calls a tool', async () => {
      const { result } = await inspect(
        '--method',
        'tools/call',
        '--tool-name',
        'customers_search',
        '--tool-arg',
        'limit=1',
      )
      assert.equal((JSON.parse(result['content'][0].text) as Result)['rows'].length, 1)
    })

    it('lists resources and templates, and reads a resource', async () => {
      const uri = `svc://customer/${customer}`
      assert.deepEqual(
        (await inspect('--method', 'resources/list')).result['resources']
          .map((one: Result) => one['uri'])
          .filter((one: string) => one.startsWith('svc:')),
        [uri],
      )
      assert.equal((await inspect('--method', 'resources/templates/list')).result['resourceTemplates'].length, 13)
      const { result } = await inspect('--method', 'resources/read', '--uri', uri)
      assert.equal((JSON.parse(result['contents'][0].text) as Result)['id'], customer)
    })

    it('lists prompts and gets one', async () => {
      assert.equal((await inspect('--method', 'prompts/list')).result['prompts'].length, 10)
      const { result } = await inspect(
        '--method',
        'prompts/get',
        '--prompt-name',
        'draft-invoice',
        '--prompt-args',
        `customer_id=${customer}`,
        'work_summary=Gutters',
      )
      assert.match(result['messages'][0].content.text, /Gutters/)
    })
  })
}
