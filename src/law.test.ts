import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { describe, it } from 'node:test'

const src = import.meta.dirname
const PUBLIC = join(src, '..', 'public')
const SHARED = ['refusal.ts', 'http_refusal.ts', 'body.ts', 'version.ts']
const ACCESS = [...SHARED, 'language', 'shape', 'db']
const TOOLS = [...ACCESS, 'access']
const LINES = [...TOOLS, 'tools', 'money', 'entity']
const SCREENS = [...TOOLS, 'tools', 'html']
const ENTITIES = [...LINES, 'lines', 'recurrence', 'html', 'screens', 'scheduling']
const EDGES = [
  ...ENTITIES,
  'config.ts',
  'files',
  'payments',
  'messages',
  'outbox',
  'sending',
  'links',
  'leaving',
  'documents',
  'undo',
  'proposals',
  'coming',
  'field',
  'entities/index.ts',
  'entities/screens.ts',
]

/** Says what a folder may import beside itself; `entity` is the index.ts of an entity, its one door. */
const LAW: Readonly<Record<string, readonly string[]>> = {
  language: SHARED,
  shape: SHARED,
  html: [...SHARED, 'language'],
  money: [...SHARED, 'shape'],
  recurrence: [...SHARED, 'shape'],
  db: [...SHARED, 'config.ts'],
  telemetry: [...SHARED, 'config.ts'],
  access: ACCESS,
  tools: TOOLS,
  lines: LINES,
  scheduling: TOOLS,
  screens: SCREENS,
  entities: ENTITIES,
  files: [...ACCESS, 'access', 'entity'],
  payments: [...ACCESS, 'access', 'entity'],
  messages: [...ACCESS, 'access', 'files', 'entity'],
  sending: [...ACCESS, 'access', 'screens', 'outbox', 'links', 'entity'],
  outbox: [...ACCESS, 'access', 'html', 'files', 'messages', 'config.ts', 'entity'],
  links: [...ACCESS, 'access', 'lines', 'messages', 'payments', 'entity'],
  leaving: [...ACCESS, 'access', 'files', 'messages', 'undo', 'entity'],
  documents: [...ACCESS, 'access', 'screens', 'files', 'field', 'entity'],
  undo: [...ACCESS, 'access', 'tools', 'entity', 'entities/index.ts'],
  proposals: [...TOOLS, 'tools', 'entities/index.ts'],
  coming: [...LINES, 'screens', 'undo'],
  field: [...LINES, 'lines', 'scheduling', 'html', 'screens', 'files', 'sending'],
  mcp: EDGES,
  oauth: EDGES,
  webhooks: EDGES,
  web: EDGES,
  worker: EDGES,
  cli: EDGES,
  'refusal.ts': [],
  'http_refusal.ts': [],
  'body.ts': [],
  'environment.ts': [],
  'config.ts': ['environment.ts', 'sending_config.ts', 'provider_config.ts', 'webhook_config.ts'],
  'sending_config.ts': ['environment.ts'],
  'provider_config.ts': ['environment.ts'],
  'webhook_config.ts': ['environment.ts'],
  'version.ts': [],
  'server.ts': [],
  'processes.ts': [],
  'app.ts': [...EDGES, 'mcp', 'oauth', 'webhooks', 'web', 'telemetry'],
  'service.ts': [...EDGES, 'mcp', 'oauth', 'webhooks', 'web', 'worker', 'telemetry', 'app.ts', 'server.ts'],
  'main.ts': [...EDGES, 'cli', 'telemetry', 'service.ts', 'server.ts', 'processes.ts'],
}

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)'(\.{1,2}\/[^']+)'/g

type Import = { from: string; to: string }

async function sources(pattern: string): Promise<string[]> {
  const found: string[] = []
  for await (const path of glob(pattern, { cwd: src }))
    if (!/\.test\.ts$|\.tmp\.ts$|\.fake\.ts$/.test(path)) found.push(path)
  return found.sort()
}

async function importsOf(path: string): Promise<Import[]> {
  const text = await readFile(join(src, path), 'utf8')
  return [...text.matchAll(IMPORT)].map(([, to]) => ({ from: path, to: relative(src, join(src, dirname(path), to!)) }))
}

/** Returns the room of a file: its folder, an entity's own folder, or itself at the top. */
function roomOf(path: string): string {
  const [first = '', second = '', third] = path.split('/')
  return first === 'entities' && third !== undefined ? `entities/${second}` : first
}

const isDoor = (path: string): boolean => /^entities\/[a-z_]+\/index\.ts$/.test(path)

function isLawful({ from, to }: Import): boolean {
  const room = roomOf(from)
  if (roomOf(to) === room) return true
  if (from === 'entities/index.ts')
    return /^entities\/[a-z_]+\/tools\.ts$/.test(to) || to === 'tools/define.ts' || to === 'tools/results.ts'
  if (from === 'entities/screens.ts') return /^entities\/[a-z_]+\/page\.ts$/.test(to) || to === 'screens/screen.ts'
  const allowed = LAW[room.startsWith('entities/') ? 'entities' : room] ?? []
  return allowed.includes(to) || allowed.includes(roomOf(to)) || (allowed.includes('entity') && isDoor(to))
}

describe('the import law', () => {
  it('knows every room', async () => {
    const rooms = new Set((await sources('**/*.ts')).map((path) => roomOf(path).split('/')[0]!))
    assert.deepEqual(
      [...rooms].filter((room) => !(room in LAW)),
      [],
    )
  })

  it('is kept by every import, dynamic ones and types included', async () => {
    const imports = (await Promise.all((await sources('**/*.ts')).map(importsOf))).flat()
    assert.ok(imports.length > 100)
    assert.deepEqual(
      imports.filter((one) => !isLawful(one)).map(({ from, to }) => `${from} -> ${to}`),
      [],
    )
  })
})

describe('imports', () => {
  it('go in no circle, those of types included', async () => {
    const to = new Map<string, string[]>()
    for (const path of await sources('**/*.ts'))
      to.set(
        path,
        (await importsOf(path)).map((one) => one.to).filter((one) => one.endsWith('.ts')),
      )
    assert.deepEqual(circleIn(to), [])
  })
})

/** Returns the first circle found, as the files on it. */
function circleIn(to: ReadonlyMap<string, readonly string[]>): string[] {
  const [done, way] = [new Set<string>(), new Set<string>()]
  const walk = (path: string): string[] => {
    if (way.has(path)) return [...way].slice([...way].indexOf(path))
    if (done.has(path)) return []
    way.add(path)
    for (const next of to.get(path) ?? []) {
      const circle = walk(next)
      if (circle.length > 0) return circle
    }
    way.delete(path)
    done.add(path)
    return []
  }
  for (const path of to.keys()) {
    const circle = walk(path)
    if (circle.length > 0) return circle
  }
  return []
}

describe('names', () => {
  it('of exported types stand for one thing each', async () => {
    const places = new Map<string, string[]>()
    for (const path of await sources('**/*.ts')) {
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

describe('text', () => {
  it('is brought to a normal form in one place, which looks at its length first', async () => {
    const found: string[] = []
    for (const path of await sources('**/*.ts'))
      if (/\.normalize\(|Intl\.Collator|unorm/.test(await readFile(join(src, path), 'utf8'))) found.push(path)
    assert.deepEqual(found, ['shape/text.ts'])
  })
})

describe('a lint rule that is off', () => {
  it('has its reason above it', async () => {
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
  it('is begun in one place', async () => {
    const found: string[] = []
    for (const path of await sources('**/*.ts'))
      if (/['"`](begin|commit|rollback)\b[^'"`]*['"`]/.test(await readFile(join(src, path), 'utf8'))) found.push(path)
    assert.deepEqual(found, ['db/transaction.ts'])
  })
})

describe('a doc comment', () => {
  it('begins with a verb or with its subject, with no question word and no bare preposition', async () => {
    const opening = /\/\*\*[\s*]*((?:What|How|Whether|Why|Whose|Which|Of|In|By|As|Within|Without) [^\n]{0,60})/g
    const found: string[] = []
    const root = join(src, '..')
    for await (const path of glob('{src,test,bench,scripts,public}/**/*.{ts,js}', { cwd: root })) {
      const text = await readFile(join(root, path), 'utf8')
      for (const { 1: words, index } of text.matchAll(opening))
        found.push(`${path}:${text.slice(0, index).split('\n').length} ${words}`)
    }
    assert.deepEqual(found, [])
  })
})

describe('room', () => {
  it('is 330 lines for a file, and 600 under test/ and for a test', async () => {
    const long: string[] = []
    for (const root of [src, join(src, '..', 'test'), join(src, '..', 'bench')]) {
      for await (const path of glob('**/*.ts', { cwd: root })) {
        const lines = (await readFile(join(root, path), 'utf8')).split('\n').length - 1
        if (lines > (path.endsWith('.test.ts') || root.endsWith('test') ? 600 : 330)) long.push(`${path}: ${lines}`)
      }
    }
    assert.deepEqual(long, [])
  })

  it('is 330 lines for a script of the pages too, which is type-checked', async () => {
    const broken: string[] = []
    for await (const path of glob('*.js', { cwd: PUBLIC })) {
      const text = await readFile(join(PUBLIC, path), 'utf8')
      if (!text.startsWith('// @ts-check\n') || /@ts-(?:no|ignore|expect)/.test(text)) broken.push(`${path}: unchecked`)
      if (text.split('\n').length - 1 > 330) broken.push(`${path}: long`)
    }
    assert.deepEqual(broken, [])
  })

  it('has no name that says nothing', async () => {
    const vague = (await sources('**/*.ts')).filter(
      (path) => /(^|\/)(utils?|helpers?|common|core|services?|managers?)(\/|\.ts$)/.test(path) && path !== 'service.ts',
    )
    assert.deepEqual(vague, [])
  })
})

describe('migrations', () => {
  it('have a number each, and a name that is found', async () => {
    const names = (await sources('**/*.sql')).map((path) => basename(path))
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

  it('are the baseline, one a folder, and those above it', async () => {
    const baseline = (await sources('**/*.sql'))
      .filter((path) => basename(path) <= '093_customer_imports.sql')
      .map((path) => dirname(path))
    assert.equal(baseline.length, 22)
    assert.equal(new Set(baseline).size, baseline.length)
  })
})
