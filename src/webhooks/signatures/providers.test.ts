import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'

/** Are for tests alone. */
const TEST_PACKAGES = ['twilio', 'standardwebhooks']
/** Is also what the pages of payment are opened with. */
const PAYMENTS = { name: 'stripe', used: 'src/payments/hosted_checkout.ts' }
const root = new URL('../../../', import.meta.url)

describe("the providers' packages", () => {
  it('make the vectors of the tests and check nothing in production', async () => {
    const { dependencies, devDependencies } = JSON.parse(
      await readFile(new URL('package.json', root), 'utf8'),
    ) as Record<string, Record<string, string>>
    for (const name of TEST_PACKAGES) assert.ok(!(name in dependencies!) && name in devDependencies!, name)
    assert.ok(PAYMENTS.name in dependencies!)
    const importing = new RegExp(`from '(${[...TEST_PACKAGES, PAYMENTS.name].join('|')})['/]`)
    for await (const path of glob('src/**/*.ts', { cwd: root })) {
      if (path.endsWith('.test.ts') || path === PAYMENTS.used) continue
      assert.doesNotMatch(await readFile(new URL(path, root), 'utf8'), importing, path)
    }
  })
})
