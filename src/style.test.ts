import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, it } from 'node:test'
import { listSources, src } from '../scripts/architecture/sources.ts'

const PUBLIC = join(src, '..', 'public')

describe('exported types', () => {
  it('have unique names', async () => {
    const places = new Map<string, string[]>()
    for (const path of await listSources('**/*.ts')) {
      for (const [, name] of (await readFile(join(src, path), 'utf8')).matchAll(
        /^export (?:type|class|interface) (\w+)/gm,
      ))
        places.set(name!, [...(places.get(name!) ?? []), path])
    }
    assert.ok(places.size > 200)
    assert.deepEqual(
      [...places].filter(([, paths]) => paths.length > 1),
      [],
    )
  })
})

describe('Unicode normalization', () => {
  it('is used in a single file, which checks the length first', async () => {
    const normalizingFiles: string[] = []
    for (const path of await listSources('**/*.ts'))
      if (/\.normalize\(|Intl\.Collator|unorm/.test(await readFile(join(src, path), 'utf8')))
        normalizingFiles.push(path)
    assert.deepEqual(normalizingFiles, ['platform/validation/text/text.ts'])
  })
})

describe('lowerPasswordCost', () => {
  it('is used nowhere outside its own file', async () => {
    const callers: string[] = []
    for (const path of await listSources('**/*.ts'))
      if ((await readFile(join(src, path), 'utf8')).includes('lowerPasswordCost')) callers.push(path)
    assert.deepEqual(callers, ['identity/sign_in/passwords/passwords.ts'])
  })
})

describe('a disabled lint rule', () => {
  it('has a comment with its reason above it', async () => {
    const lines = (await readFile(join(src, '..', '.oxlintrc.json'), 'utf8')).split('\n')
    const off = lines.flatMap((line, i) => (line.includes('"off"') ? [{ line, above: lines[i - 1]! }] : []))
    assert.ok(off.length > 0)
    assert.deepEqual(
      off.filter(({ above }) => !/^ *\/\/ \S/.test(above)),
      [],
    )
  })
})

describe('a transaction', () => {
  it('is begun in a single file', async () => {
    const filesWithTransactions: string[] = []
    for (const path of await listSources('**/*.ts'))
      if (/['"`](begin|commit|rollback)\b[^'"`]*['"`]/.test(await readFile(join(src, path), 'utf8')))
        filesWithTransactions.push(path)
    assert.deepEqual(filesWithTransactions, ['platform/db/transaction.ts'])
  })
})

describe('source files', () => {
  it('have at most 330 lines, tests and files under test/ at most 600', async () => {
    const long: string[] = []
    for (const root of [src, join(src, '..', 'test'), join(src, '..', 'bench')]) {
      for await (const path of glob('**/*.ts', { cwd: root })) {
        const lines = (await readFile(join(root, path), 'utf8')).split('\n').length - 1
        if (lines > (path.endsWith('.test.ts') || root.endsWith('test') ? 600 : 330)) long.push(`${path}: ${lines}`)
      }
    }
    assert.deepEqual(long, [])
  })

  it('of the browser are type-checked and have at most 330 lines', async () => {
    const broken: string[] = []
    for await (const path of glob('**/*.js', { cwd: PUBLIC })) {
      const text = await readFile(join(PUBLIC, path), 'utf8')
      if (!text.startsWith('// @ts-check\n') || /@ts-(?:no|ignore|expect)/.test(text)) broken.push(`${path}: unchecked`)
      if (text.split('\n').length - 1 > 330) broken.push(`${path}: long`)
    }
    assert.deepEqual(broken, [])
  })

  it('have no vague names such as utils or helpers', async () => {
    const vague = (await listSources('**/*.ts')).filter(
      (path) =>
        /(^|\/)(utils?|helpers?|common|core|services?|managers?)(\/|\.ts$)/.test(path) && path !== 'start/service.ts',
    )
    assert.deepEqual(vague, [])
  })
})

describe('migrations', () => {
  it('have unique numbers and valid names', async () => {
    const names = (await listSources('**/*.sql')).map((path) => basename(path))
    assert.deepEqual(
      names.filter((name) => !/^\d{3}_[a-z_]+\.sql$/.test(name)),
      [],
    )
    const numbers = names.map((name) => name.slice(0, 3))
    assert.deepEqual(
      numbers.filter((number, i) => numbers.indexOf(number) !== i),
      [],
    )
  })

  it('keep the 22 of the baseline', async () => {
    const baseline = (await listSources('**/*.sql')).filter((path) => basename(path) <= '093_customer_imports.sql')
    assert.equal(baseline.length, 22)
  })
})

describe('a refusal on a page', () => {
  /** Owners of the other properties named `message` in web/, which are no refusals. */
  const OTHER_MESSAGES = ['action', 'document', 'objection', 'reason']

  it('never shows the text for agents', async () => {
    const violations: string[] = []
    for (const path of await listSources('web/**/*.ts')) {
      const text = await readFile(join(src, path), 'utf8')
      for (const [read, of] of text.matchAll(/(\w*[\w)\]])\??\.(?:message|agentMessage|fenced)\b/g))
        if (!OTHER_MESSAGES.includes(of!)) violations.push(`${path}: ${read}`)
      if (/\(\{ message \}\)/.test(text)) violations.push(`${path}: ({ message })`)
      if (/import \{[^}]*\btextOf\b[^}]*\} from '[^']*\/refusal\.ts'/.test(text)) violations.push(`${path}: textOf`)
    }
    assert.deepEqual(violations, [])
  })

  it('is declared or translated', async () => {
    const violations: string[] = []
    for (const path of await listSources('web/**/*.ts'))
      for (const [thrown] of (await readFile(join(src, path), 'utf8')).matchAll(
        /\b(?:(?:invalid|conflict)\(|(?:invalidField|invalidAt|conflictField)\([^,]+,|new Refusal\([^,]+,)\s*(?:say|formatRule)?['"`][^\n]*/g,
      ))
        if (!/^(?:invalid|conflict)\(\s*say`/.test(thrown)) violations.push(`${path}: ${thrown}`)
    assert.deepEqual(violations, [])
  })
})
