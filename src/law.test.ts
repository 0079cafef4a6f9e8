import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { describe, it } from 'node:test'

const src = import.meta.dirname
const PUBLIC = join(src, '..', 'public')
/** Imports allowed to each room beside its own files, from the lowest floor up. */
const BELOW_TOOLS = ['platform', 'identity']
const BELOW_RECORDS = [...BELOW_TOOLS, 'money', 'recurrence', 'scheduling', 'tools']
const ABOVE_RECORDS = [...BELOW_RECORDS, 'records']
const BELOW_DOORS = [
  ...ABOVE_RECORDS,
  'approvals',
  'assistant',
  'backup',
  'books',
  'customer_portal',
  'files',
  'health',
  'imports',
  'messaging',
  'mobile',
  'payments',
  'pdf',
  'privacy',
  'undo',
]
const DOORS = ['cli', 'mcp', 'web', 'webhooks', 'worker']

const LAW: Readonly<Record<string, readonly string[]>> = {
  platform: [],
  identity: ['platform'],
  money: ['platform'],
  recurrence: ['platform'],
  scheduling: BELOW_TOOLS,
  tools: BELOW_TOOLS,
  records: BELOW_RECORDS,
  approvals: [...ABOVE_RECORDS, 'payments'],
  assistant: ABOVE_RECORDS,
  books: ABOVE_RECORDS,
  customer_portal: ABOVE_RECORDS,
  files: ABOVE_RECORDS,
  payments: ABOVE_RECORDS,
  undo: ABOVE_RECORDS,
  backup: [...ABOVE_RECORDS, 'files'],
  imports: [...ABOVE_RECORDS, 'undo'],
  messaging: [...ABOVE_RECORDS, 'customer_portal', 'files'],
  health: [...ABOVE_RECORDS, 'backup', 'books', 'files', 'messaging', 'payments'],
  mobile: [...ABOVE_RECORDS, 'customer_portal', 'files', 'messaging'],
  privacy: [...ABOVE_RECORDS, 'files', 'messaging', 'undo'],
  pdf: [...ABOVE_RECORDS, 'files', 'mobile'],
  ...Object.fromEntries(DOORS.map((door) => [door, BELOW_DOORS])),
  start: [...BELOW_DOORS, ...DOORS],
  exam: [...BELOW_DOORS, ...DOORS, 'start'],
}

/** Imports allowed to each folder of the platform beside its own files. */
const PLATFORM: Readonly<Record<string, readonly string[]>> = {
  config: ['errors'],
  'buckets.ts': [],
  db: ['buckets.ts', 'config', 'errors', 'version.ts'],
  errors: [],
  html: ['errors', 'http', 'i18n'],
  http: ['errors', 'html', 'i18n'],
  i18n: ['errors'],
  leases: ['db', 'validation'],
  map_tiles: ['config', 'errors', 'http', 'storage'],
  storage: ['config', 'errors'],
  telemetry: ['buckets.ts', 'config', 'errors', 'version.ts'],
  threads: [],
  validation: ['errors'],
  'version.ts': [],
}

/** Folders of records/ that hold what all entities share; every other folder there is an entity, entered by its index.ts. */
const SHARED_BY_RECORDS = ['declare', 'fields', 'form', 'format', 'history', 'line_items', 'list', 'page', 'search']

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)'(\.{1,2}\/[^']+)'/g

type Import = { from: string; to: string }

async function sources(pattern: string): Promise<string[]> {
  const paths: string[] = []
  for await (const path of glob(pattern, { cwd: src }))
    if (!/\.test\.ts$|\.tmp\.ts$|\.fake\.ts$/.test(path)) paths.push(path)
  return paths.sort()
}

async function importsOf(path: string): Promise<Import[]> {
  const text = await readFile(join(src, path), 'utf8')
  return [...text.matchAll(IMPORT)].map(([, to]) => ({ from: path, to: relative(src, join(src, dirname(path), to!)) }))
}

const roomOf = (path: string): string => path.split('/')[0]!

/** Returns the part of a room that has rules of its own: a folder of the platform, an entity. */
function partOf(path: string): string {
  const [room = '', part = ''] = path.split('/')
  return room === 'platform' || isInEntity(path) ? `${room}/${part}` : room
}

const isInEntity = (path: string): boolean => {
  const [room, part = '', file] = path.split('/')
  return room === 'records' && file !== undefined && !SHARED_BY_RECORDS.includes(part)
}

const isEntityIndex = (path: string): boolean => /^records\/[a-z_]+\/index\.ts$/.test(path)

function isLawful({ from, to }: Import): boolean {
  if (partOf(from) === partOf(to)) return true
  if (from === 'records/index.ts') return /^records\/[a-z_]+\/tools\.ts$/.test(to) || roomOf(to) === 'tools'
  if (from === 'records/screens.ts') return /^records\/[a-z_]+\/page\.ts$/.test(to) || to === 'records/page/screen.ts'
  if (/^records\/(?:index|screens)\.ts$/.test(to)) return roomOf(from) !== 'records'
  if (isInEntity(to) && !isEntityIndex(to)) return false
  if (roomOf(from) !== roomOf(to)) return LAW[roomOf(from)]?.includes(roomOf(to)) ?? false
  if (roomOf(from) === 'records') return isInEntity(from) || from.startsWith('records/line_items/') || !isInEntity(to)
  const [, fromPart = ''] = from.split('/')
  const [, toPart = ''] = to.split('/')
  return PLATFORM[fromPart]?.includes(toPart) ?? false
}

describe('the import law', () => {
  it('knows every room', async () => {
    const rooms = new Set((await sources('**/*.ts')).map(roomOf))
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

/** Files of the doors that hold SQL, with the reason. */
const SQL_IN_DOORS: Readonly<Record<string, string>> = {
  'cli/demo/work/backdate.ts':
    'rewrites when the demo happened, history included; a room that offered it would let anyone rewrite history',
}

/** Folders that ask the database as the owner of its schema, over all companies, with the reason. */
const OWNER_IN_DOORS: Readonly<Record<string, string>> = {
  'cli/doctor/': 'inspects the database itself: server, roles, policies, keys, and what waits in all companies',
  'cli/tenant_file/': "moves a company's rows table by table, as the catalog lists them",
}

describe('a door', () => {
  const files = () => sources(`{${DOORS.join(',')}}/**/*.{ts,sql}`)
  const textOf = (path: string): Promise<string> => readFile(join(src, path), 'utf8')

  it('holds no SQL: it asks the room whose records it needs', async () => {
    const filesWithSql: string[] = []
    for (const path of await files()) {
      const text = await textOf(path)
      const imports = [...text.matchAll(/import \{([^}]*)\} from '[^']*\/platform\/db\/[^']*'/g)].join(' ')
      if (/\bsql`/.test(text) || /\b(?<!type )(?:sql|raw)\b/.test(imports)) filesWithSql.push(path)
    }
    assert.deepEqual(filesWithSql, Object.keys(SQL_IN_DOORS))
  })

  it('asks the database as its owner only to move a company and diagnose it', async () => {
    const ownerPaths = new Set<string>()
    for (const path of await files()) {
      const text = await textOf(path)
      if (/import [^\n]*\bClient\b[^\n]* from 'pg'/.test(text) || /\bclient\.query\b/.test(text))
        ownerPaths.add(Object.keys(OWNER_IN_DOORS).find((folder) => path.startsWith(folder)) ?? path)
    }
    assert.deepEqual([...ownerPaths], Object.keys(OWNER_IN_DOORS))
  })

  it('holds no migration', async () => {
    assert.deepEqual(
      (await files()).filter((path) => path.endsWith('.sql')),
      [],
    )
  })
})

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
    const normalizingFiles: string[] = []
    for (const path of await sources('**/*.ts'))
      if (/\.normalize\(|Intl\.Collator|unorm/.test(await readFile(join(src, path), 'utf8')))
        normalizingFiles.push(path)
    assert.deepEqual(normalizingFiles, ['platform/validation/text/text.ts'])
  })
})

describe('passwords', () => {
  it('are hashed at full cost wherever no test lowers it', async () => {
    const callers: string[] = []
    for (const path of await sources('**/*.ts'))
      if ((await readFile(join(src, path), 'utf8')).includes('lowerPasswordCost')) callers.push(path)
    assert.deepEqual(callers, ['identity/sign_in/passwords/passwords.ts'])
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
    const filesWithTransactions: string[] = []
    for (const path of await sources('**/*.ts'))
      if (/['"`](begin|commit|rollback)\b[^'"`]*['"`]/.test(await readFile(join(src, path), 'utf8')))
        filesWithTransactions.push(path)
    assert.deepEqual(filesWithTransactions, ['platform/db/transaction.ts'])
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
    for await (const path of glob('**/*.js', { cwd: PUBLIC })) {
      const text = await readFile(join(PUBLIC, path), 'utf8')
      if (!text.startsWith('// @ts-check\n') || /@ts-(?:no|ignore|expect)/.test(text)) broken.push(`${path}: unchecked`)
      if (text.split('\n').length - 1 > 330) broken.push(`${path}: long`)
    }
    assert.deepEqual(broken, [])
  })

  it('has no name that says nothing', async () => {
    const vague = (await sources('**/*.ts')).filter(
      (path) =>
        /(^|\/)(utils?|helpers?|common|core|services?|managers?)(\/|\.ts$)/.test(path) && path !== 'start/service.ts',
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

  it('keep the 22 of the baseline', async () => {
    const baseline = (await sources('**/*.sql')).filter((path) => basename(path) <= '093_customer_imports.sql')
    assert.equal(baseline.length, 22)
  })
})

describe('a refusal on a page', () => {
  /** Everything else in web/ with a property `message`, none of which is a refusal. */
  const OTHER_MESSAGES = ['act', 'own', 'paper', 'reason']

  it('is in the words of people, never in those for agents', async () => {
    const violations: string[] = []
    for (const path of await sources('web/**/*.ts')) {
      const text = await readFile(join(src, path), 'utf8')
      for (const [read, of] of text.matchAll(/(\w*[\w)\]])\??\.(?:message|agentMessage|fenced)\b/g))
        if (!OTHER_MESSAGES.includes(of!)) violations.push(`${path}: ${read}`)
      if (/\(\{ message \}\)/.test(text)) violations.push(`${path}: ({ message })`)
      if (/import \{[^}]*\btextOf\b[^}]*\} from '[^']*\/refusal\.ts'/.test(text)) violations.push(`${path}: textOf`)
    }
    assert.deepEqual(violations, [])
  })

  it('is declared, or in the language of whoever reads it', async () => {
    const violations: string[] = []
    for (const path of await sources('web/**/*.ts'))
      for (const [thrown] of (await readFile(join(src, path), 'utf8')).matchAll(
        /\b(?:(?:invalid|conflict)\(|(?:invalidField|invalidAt|conflictField)\([^,]+,|new Refusal\([^,]+,)\s*(?:say|formatRule)?['"`][^\n]*/g,
      ))
        if (!/^(?:invalid|conflict)\(\s*say`/.test(thrown)) violations.push(`${path}: ${thrown}`)
    assert.deepEqual(violations, [])
  })
})
