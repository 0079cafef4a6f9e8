import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, it } from 'node:test'
import { parseSync } from 'oxc-parser'
import { assetAddress, assetAt } from './assets.ts'

const PUBLIC = join(import.meta.dirname, '../../../public')

/** Parses a script to its code: without positions and comments, with imports by file name. */
const programOf = (text: string): string => {
  const { program, errors } = parseSync('script.js', text, { sourceType: 'module' })
  assert.deepEqual(errors, [])
  return JSON.stringify(program, (key, value: unknown) => {
    if (key === 'start' || key === 'end' || key === 'raw') return undefined
    if (typeof value === 'bigint') return String(value)
    return key === 'source' && isText(value) ? nameIn(value.value) : value
  })
}

const isText = (value: unknown): value is { value: string } =>
  typeof value === 'object' && value !== null && 'value' in value && typeof value.value === 'string'

const nameIn = (address: string): string => basename(address).replace(/(\.[\w-]{12})?\.js$/, '')

describe('a served script', () => {
  for (const path of globSync('**/*.js', { cwd: PUBLIC }))
    it(`is ${path} without its comments`, async () => {
      const text = await assetAt(assetAddress(basename(path)))!.text()
      assert.equal(programOf(text), programOf(readFileSync(join(PUBLIC, path), 'utf8')))
      assert.doesNotMatch(text, /^\s*\/\/|\/\*\*/m)
    })
})
