import assert from 'node:assert/strict'
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'

const root = join(import.meta.dirname, '..', '..')

describe('SECURITY.md', () => {
  it('names at least one existing test for each protection', async () => {
    const page = await readFile(join(root, 'SECURITY.md'), 'utf8')
    const walls = page
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .slice(1)
      .map((line) => line.split('|'))
    assert.ok(walls.length > 20)
    for (const [, wall, , tests] of walls) {
      const named = [...tests!.matchAll(/`([^`]+)`/g)].map(([, path]) => path!)
      assert.ok(named.length > 0, `${wall} names no test`)
      await Promise.all(named.map((path) => access(join(root, path))))
    }
  })
})
