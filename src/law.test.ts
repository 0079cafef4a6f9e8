import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { describe, it } from 'node:test'
import { listSources, src } from '../scripts/architecture/sources.ts'

/** Imports allowed to each top folder beside its own files, lowest layer first. */
const BELOW_TOOLS = ['platform', 'identity']
const BELOW_RECORDS = [...BELOW_TOOLS, 'money', 'recurrence', 'scheduling', 'tools']
const ABOVE_RECORDS = [...BELOW_RECORDS, 'records']
const BELOW_ENTRY_POINTS = [
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
const ENTRY_POINTS = ['cli', 'mcp', 'web', 'webhooks', 'worker']

const ALLOWED_IMPORTS: Readonly<Record<string, readonly string[]>> = {
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
  ...Object.fromEntries(ENTRY_POINTS.map((entryPoint) => [entryPoint, BELOW_ENTRY_POINTS])),
  start: [...BELOW_ENTRY_POINTS, ...ENTRY_POINTS],
  exam: [...BELOW_ENTRY_POINTS, ...ENTRY_POINTS, 'start'],
}

/** Imports allowed to each folder of platform beside its own files. */
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

/** Folders of records/ shared by all entities; other folders there are entities, imported by index.ts. */
const SHARED_BY_RECORDS = ['declare', 'fields', 'form', 'format', 'history', 'line_items', 'list', 'page', 'search']

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)'(\.{1,2}\/[^']+)'/g

type Import = { from: string; to: string }

async function importsOf(path: string): Promise<Import[]> {
  const text = await readFile(join(src, path), 'utf8')
  return [...text.matchAll(IMPORT)].map(([, to]) => ({ from: path, to: relative(src, join(src, dirname(path), to!)) }))
}

const moduleOf = (path: string): string => path.split('/')[0]!

/** Returns the part of a top folder that has its own rules: a platform folder or an entity. */
function partOf(path: string): string {
  const [module = '', part = ''] = path.split('/')
  return module === 'platform' || isInEntity(path) ? `${module}/${part}` : module
}

const isInEntity = (path: string): boolean => {
  const [module, part = '', file] = path.split('/')
  return module === 'records' && file !== undefined && !SHARED_BY_RECORDS.includes(part)
}

const isEntityIndex = (path: string): boolean => /^records\/[a-z_]+\/index\.ts$/.test(path)

function isLawful({ from, to }: Import): boolean {
  if (partOf(from) === partOf(to)) return true
  if (from === 'records/index.ts') return /^records\/[a-z_]+\/tools\.ts$/.test(to) || moduleOf(to) === 'tools'
  if (from === 'records/screens.ts') return /^records\/[a-z_]+\/page\.ts$/.test(to) || to === 'records/page/screen.ts'
  if (/^records\/(?:index|screens)\.ts$/.test(to)) return moduleOf(from) !== 'records'
  if (isInEntity(to) && !isEntityIndex(to)) return false
  if (moduleOf(from) !== moduleOf(to)) return ALLOWED_IMPORTS[moduleOf(from)]?.includes(moduleOf(to)) ?? false
  if (moduleOf(from) === 'records') return isInEntity(from) || from.startsWith('records/line_items/') || !isInEntity(to)
  const [, fromPart = ''] = from.split('/')
  const [, toPart = ''] = to.split('/')
  return PLATFORM[fromPart]?.includes(toPart) ?? false
}

describe('the import rules', () => {
  it('cover every top folder of src', async () => {
    const modules = new Set((await listSources('**/*.ts')).map(moduleOf))
    assert.deepEqual(
      [...modules].filter((module) => !(module in ALLOWED_IMPORTS)),
      [],
    )
  })

  it('hold for every import, including dynamic and type imports', async () => {
    const imports = (await Promise.all((await listSources('**/*.ts')).map(importsOf))).flat()
    assert.ok(imports.length > 100)
    assert.deepEqual(
      imports.filter((one) => !isLawful(one)).map(({ from, to }) => `${from} -> ${to}`),
      [],
    )
  })
})

describe('imports', () => {
  it('have no cycle, including type imports', async () => {
    const to = new Map<string, string[]>()
    for (const path of await listSources('**/*.ts'))
      to.set(
        path,
        (await importsOf(path)).map((one) => one.to).filter((one) => one.endsWith('.ts')),
      )
    assert.deepEqual(circleIn(to), [])
  })
})

/** Returns the first cycle found, as its files. */
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

/** Entry point files that contain SQL, with the reason. */
const SQL_IN_DOORS: Readonly<Record<string, string>> = {
  'cli/demo/work/backdate.ts':
    'rewrites when the demo happened, history included; a module that offered it would let anyone rewrite history',
}

/** Folders that query the database as schema owner, across companies, with the reason. */
const OWNER_IN_DOORS: Readonly<Record<string, string>> = {
  'cli/doctor/': 'inspects the database itself: server, roles, policies, keys, and what waits in all companies',
  'cli/tenant_file/': "moves a company's rows table by table, as the catalog lists them",
}

describe('an entry point folder', () => {
  const files = () => listSources(`{${ENTRY_POINTS.join(',')}}/**/*.{ts,sql}`)
  const textOf = (path: string): Promise<string> => readFile(join(src, path), 'utf8')

  it('contains no SQL beyond the listed exceptions', async () => {
    const filesWithSql: string[] = []
    for (const path of await files()) {
      const text = await textOf(path)
      const imports = [...text.matchAll(/import \{([^}]*)\} from '[^']*\/platform\/db\/[^']*'/g)].join(' ')
      if (/\bsql`/.test(text) || /\b(?<!type )(?:sql|raw)\b/.test(imports)) filesWithSql.push(path)
    }
    assert.deepEqual(filesWithSql, Object.keys(SQL_IN_DOORS))
  })

  it('queries the database as owner only in the listed folders', async () => {
    const ownerPaths = new Set<string>()
    for (const path of await files()) {
      const text = await textOf(path)
      if (/import [^\n]*\bClient\b[^\n]* from 'pg'/.test(text) || /\bclient\.query\b/.test(text))
        ownerPaths.add(Object.keys(OWNER_IN_DOORS).find((folder) => path.startsWith(folder)) ?? path)
    }
    assert.deepEqual([...ownerPaths], Object.keys(OWNER_IN_DOORS))
  })

  it('contains no migration', async () => {
    assert.deepEqual(
      (await files()).filter((path) => path.endsWith('.sql')),
      [],
    )
  })
})
