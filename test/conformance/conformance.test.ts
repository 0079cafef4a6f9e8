import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { makeCompany, startTestService } from '../harness.ts'
import type { TestService } from '../harness.ts'
import { startProxy } from './proxy.ts'

const SUITE = fileURLToPath(new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url))
const BASELINE = fileURLToPath(new URL('expected-failures-2026-07-28.yml', import.meta.url))

/** The scenarios that need no fixture tool, resource or prompt. */
const SCENARIOS = {
  '2026-07-28': ['tools-list', 'server-sse-multiple-streams', 'input-required-result-unsupported-methods', 'http-header-validation', 'dns-rebinding-protection'],
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'],
}

let service: TestService
let proxy: Awaited<ReturnType<typeof startProxy>>
before(async () => {
  service = await startTestService()
  proxy = await startProxy(service.url, (await makeCompany(service)).owner.key)
})
after(async () => {
  await proxy.stop()
  await service.stop()
})

const run = (...options: string[]): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [SUITE, 'server', '--url', proxy.url, ...options], (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : 1, output: stdout + stderr }))
  })

for (const [revision, scenarios] of Object.entries(SCENARIOS)) {
  describe(`conformance with ${revision}`, () => {
    for (const scenario of scenarios) {
      it(scenario, async () => {
        const { code, output } = await run('--scenario', scenario, '--spec-version', revision)
        assert.equal(code, 0, output)
        assert.match(output, /Passed: ([1-9]\d*)\/\1,/, output)
      })
    }
  })
}

describe('conformance with 2026-07-28', () => {
  it('server-stateless, but for the checks that want fixtures', async () => {
    const { code, output } = await run('--scenario', 'server-stateless', '--spec-version', '2026-07-28', '--expected-failures', BASELINE)
    assert.equal(code, 0, output)
  })
})
