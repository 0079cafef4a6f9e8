import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'

/** Packages that only tests may import. */
const TEST_PACKAGES = ['stripe', 'twilio', 'standardwebhooks']
const root = new URL('../../../', import.meta.url)

describe("the providers' packages", () => {
  it('are devDependencies and imported by tests only', async () => {
    const { dependencies, devDependencies } = JSON.parse(
      await readFile(new URL('package.json', root), 'utf8'),
    ) as Record<string, Record<string, string>>
    for (const name of TEST_PACKAGES) assert.ok(!(name in dependencies!) && name in devDependencies!, name)
    const importing = new RegExp(`from '(${TEST_PACKAGES.join('|')})['/]`)
    for await (const path of glob('src/**/*.ts', { cwd: root })) {
      if (path.endsWith('.test.ts')) continue
      assert.doesNotMatch(await readFile(new URL(path, root), 'utf8'), importing, path)
    }
  })
})
