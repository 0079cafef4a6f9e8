import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { makeCompany, startTestService, type TestService } from '../harness/harness.ts'
import { withFixtures } from './fixtures.ts'
import { startProxy } from './proxy.ts'
import { runSuite, scenariosOf, type SuiteResult } from './suite.ts'

const BASELINE = fileURLToPath(new URL('baseline.yml', import.meta.url))

type Proxy = Awaited<ReturnType<typeof startProxy>>

/** Service with the suite's fixtures beside its own tools. `plain` has none. */
let fixtures: TestService
let plain: TestService
let toFixtures: Proxy
let toPlain: Proxy
before(async () => {
  fixtures = await startTestService({}, { aroundTools: withFixtures })
  plain = await startTestService()
  toFixtures = await startProxy(fixtures.url, (await makeCompany(fixtures)).owner.key)
  const company = await makeCompany(plain)
  await company.call('customers_create', { customer_type: 'individual', first_name: 'Ana' })
  toPlain = await startProxy(plain.url, company.owner.key)
})
after(async () => {
  await Promise.all([toFixtures.stop(), toPlain.stop()])
  await Promise.all([fixtures.stop(), plain.stop()])
})

const runAll = (...options: string[]): Promise<SuiteResult> => runSuite('server', '--url', toFixtures.url, ...options)

describe('the service with fixtures, in the conformance suite', () => {
  it('passes every scenario of 2026-07-28', async () => {
    const { code, output } = await runAll('--suite', 'all', '--spec-version', '2026-07-28')
    const scenarios = scenariosOf(output)
    assert.equal(code, 0, output)
    assert.ok(scenarios.size >= 40, output)
    assert.deepEqual(
      [...scenarios].filter(([, { passed, failed }]) => passed === 0 || failed > 0),
      [],
    )
  })

  it("passes the suite's own list of requirements for 2026-07-28", async () => {
    const { code, output } = await runAll('--requirements', '2026-07-28')
    assert.equal(code, 0, output)
  })

  it('passes 2025-11-25 except for the expected failures in baseline.yml', async () => {
    const { code, output } = await runAll(
      '--suite',
      'all',
      '--spec-version',
      '2025-11-25',
      '--expected-failures',
      BASELINE,
    )
    assert.equal(code, 0, output)
    assert.ok(scenariosOf(output).size >= 33, output)
  })

  it('fails only tasks and session scenarios across all revisions and extensions', async () => {
    const { code, output } = await runAll('--suite', 'all', '--expected-failures', BASELINE)
    assert.equal(code, 0, output)
    const failed = [...scenariosOf(output)].filter(([, of]) => of.failed > 0).map(([name]) => name)
    assert.ok(
      failed.length > 0 && failed.every((name) => name.startsWith('tasks-') || BY_SESSION.has(name)),
      failed.join(),
    )
  })
})

/** Session scenarios of 2025-11-25 and older, which later revisions removed. */
const BY_SESSION = new Set([
  'logging-set-level',
  'tools-call-with-logging',
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'resources-subscribe',
  'resources-unsubscribe',
])

/** Scenarios that need no fixture. */
const PLAIN = {
  '2026-07-28': [
    'tools-list',
    'resources-list',
    'sep-2164-resource-not-found',
    'prompts-list',
    'caching',
    'server-sse-multiple-streams',
    'input-required-result-unsupported-methods',
    'http-header-validation',
    'dns-rebinding-protection',
  ],
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
  ],
}

for (const [revision, scenarios] of Object.entries(PLAIN)) {
  describe(`the service without fixtures, in the conformance suite of ${revision}`, () => {
    for (const scenario of scenarios) {
      it(scenario, async () => {
        const { code, output } = await runSuite(
          'server',
          '--url',
          toPlain.url,
          '--scenario',
          scenario,
          '--spec-version',
          revision,
        )
        assert.equal(code, 0, output)
        assert.match(output, /Passed: ([1-9]\d*)\/\1,/, output)
      })
    }
  })
}
