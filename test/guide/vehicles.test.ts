import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { ON_ONE_CORE } from '../../scripts/tests/test_checks.ts'

const root = join(import.meta.dirname, '..', '..')
const MAX_OUTPUT = 64 * 1024 * 1024
const LISTS = ['src/records/index.ts', 'src/records/screens.ts']

/** Paths that the guide adds or changes, and generated files. */
const EXPECTED =
  /^(src\/records\/(vehicles\/.*|index\.ts|screens\.ts)|snapshots\/vehicles_\w+\.json|docs\/(spec\/(tool_reference|archives)\.md|schema\.sql))$/

const GENERATED = /^(snapshots\/vehicles_\w+\.json|docs\/(spec\/(tool_reference|archives)\.md|schema\.sql))$/

/** Tests that cover every entity and name none. */
const WALKS = [
  'src/law.test.ts',
  'src/style.test.ts',
  'src/records/page/screens.test.ts',
  'test/docs/architecture.test.ts',
  'test/docs/schema.test.ts',
  'test/tools/catalog.test.ts',
  'test/tools/classified_text.test.ts',
  'test/tools/customer_words.test.ts',
  'test/tools/fenced_refusals.test.ts',
  'src/records/page/states.test.ts',
  'test/tools/refusal_texts.test.ts',
  'test/isolation/isolation.test.ts',
  'test/records/audit_every_tool.test.ts',
  'test/records/nulls.test.ts',
  'test/records/removed.test.ts',
  'test/records/unchanged.test.ts',
  'test/pages/every_entity.test.ts',
]

/** Those of `WALKS` that cover every column. */
const WALKS_OF_COLUMNS = [
  'src/law.test.ts',
  'src/style.test.ts',
  'test/docs/schema.test.ts',
  'test/tools/classified_text.test.ts',
  'test/records/nulls.test.ts',
  'test/pages/every_entity.test.ts',
]

const COMMIT = '-c user.name=Guide -c user.email=guide@example.com -c commit.gpgsign=false commit --quiet'.split(' ')

/** Title patterns of the tests that cover every table and column, by file. */
const NETS = {
  'test/privacy/erase_customer.test.ts': 'has no table',
  'test/privacy/export_company.test.ts': 'takes every column|is documented',
  'test/tenant_file/tenant_file.test.ts': 'has no table',
}

let home: string
let copy: string
before(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'callout-guide-')))
  copy = join(home, 'callout')
  await copyCheckout()
  for (const [path, text] of await listing()) await (LISTS.includes(path) ? addLine(path, text) : write(path, text))
})
after(() => rm(home, { recursive: true, force: true }))

/**
 * Returns the environment for a program in the copy, without this run's variables: its tests use their own server and
 * folder. The programs share a compile cache beside the copy.
 */
function environment(): NodeJS.ProcessEnv {
  const { CALLOUT_TEST_RUN: _, NODE_TEST_CONTEXT: __, ...env } = process.env
  return { ...env, NODE_COMPILE_CACHE: join(home, 'compiled'), ...ON_ONE_CORE, CALLOUT_NO_INSTALL: '1' }
}

/** Runs a program in the copy. A failure reports the failed tests, or the last output. */
const run = (program: string, args: readonly string[], cwd = copy): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile(program, args, { cwd, env: environment(), maxBuffer: MAX_OUTPUT }, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout)
      const failures = stdout.includes('failing tests:')
        ? stdout.slice(stdout.indexOf('failing tests:'))
        : stdout.slice(-4000)
      reject(
        new Error(
          `${program} ${args.slice(0, 2).join(' ')} failed\n${failures.slice(0, 4000)}\n${stderr.slice(-2000)}`,
        ),
      )
    })
  })

/** Copies the files of this checkout into a new Git repository with one commit. */
async function copyCheckout(): Promise<void> {
  const paths = (await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], root))
    .split('\0')
    .filter((path) => path !== '')
  for (const folder of new Set(paths.map((path) => dirname(join(copy, path))))) await mkdir(folder, { recursive: true })
  await Promise.all(paths.map((path) => copyFile(join(root, path), join(copy, path))))
  await symlink(await realpath(join(root, 'node_modules')), join(copy, 'node_modules'))
  await writeFile(join(home, 'exclude'), 'node_modules\n')
  await run('git', ['init', '--quiet'])
  await run('git', ['config', 'core.excludesFile', join(home, 'exclude')])
  await run('git', ['add', '--all'])
  await run('git', [...COMMIT, '--message', 'Before'])
}

/** Returns the guide's files: each heading that is a path, with its code block, and each linked file. */
async function listing(): Promise<[path: string, text: string][]> {
  const folder = join(root, 'docs/contributing')
  const guide = await readFile(join(folder, 'adding-an-entity.md'), 'utf8')
  const linked = [...guide.matchAll(/\]\((vehicles\/[\w.]+)\)/g)].map(([, path = '']) => path)
  return [
    ...[...guide.matchAll(/^### `([^`]+)`\n\n```\w+\n([\s\S]*?)^```$/gm)].map(
      ([, path = '', text = '']): [string, string] => [path, text],
    ),
    ...(await Promise.all(
      linked.map(async (path): Promise<[string, string]> => [
        `src/records/${path}`,
        await readFile(join(folder, path), 'utf8'),
      ]),
    )),
  ]
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(copy, path)), { recursive: true })
  await writeFile(join(copy, path), text)
}

/** Adds an import, and its name at the end of the list. */
async function addLine(path: string, line: string): Promise<void> {
  const text = await readFile(join(copy, path), 'utf8')
  const [, name] = /^import \{ (\w+) \}/.exec(line)!
  const last = text.lastIndexOf('\nimport ') + 1
  const imported = `${text.slice(0, text.indexOf('\n', last) + 1)}${line}${text.slice(text.indexOf('\n', last) + 1)}`
  await writeFile(join(copy, path), imported.replace(/,?\n\]/, `,\n  ${name},\n]`))
}

const bin = (name: string): string => join(copy, 'node_modules', '.bin', name)

const checkTypes = (): Promise<string> => run(bin('tsc'), ['-p', '.', '--checkers', '1'])

const changedFiles = async (): Promise<string[]> =>
  (await run('git', ['status', '--porcelain', '--untracked-files=all']))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.slice(3))

describe('an entity added by following adding-an-entity.md', () => {
  it('needs one new folder and two added lines in each of two files', async () => {
    const paths = (await listing()).map(([path]) => path)
    assert.deepEqual(
      paths.filter((path) => !path.startsWith('src/records/vehicles/')),
      LISTS,
    )
    assert.deepEqual((await changedFiles()).toSorted(), paths.toSorted())
    for (const path of LISTS) assert.match(await run('git', ['diff', '--numstat', path]), /^2\t0\t/)
  })

  it('gets its tool reference from scripts/generate.ts', async () => {
    await run(process.execPath, ['scripts/generate.ts'])
    assert.match(await readFile(join(copy, 'docs/spec/tool_reference.md'), 'utf8'), /`vehicles_update`/)
  })

  it('passes the type checker and the linter', async () => {
    await checkTypes()
    // Type-aware lint also reads a file's imports, so linting the added and changed files is enough.
    const sources = (await changedFiles()).filter((path) => path.endsWith('.ts'))
    await run(bin('oxlint'), ['--type-aware', '--quiet', ...sources])
  })

  it('passes the tests that cover every entity', async () => {
    await run(process.execPath, ['scripts/test.ts', ...WALKS])
  })

  it('passes the privacy and company file tests that cover every table and column', async () => {
    const pattern = Object.values(NETS).join('|')
    await run(process.execPath, ['scripts/test.ts', ...Object.keys(NETS), `--test-name-pattern=${pattern}`])
  })

  it('changes only its folder, the two lists and generated files', async () => {
    assert.deepEqual(
      (await changedFiles()).filter((path) => !EXPECTED.test(path)),
      [],
    )
  })

  it('gets a further column with only a migration and a field declaration', async () => {
    await run('git', ['add', '--all'])
    await run('git', [...COMMIT, '--message', 'Vehicles'])
    const guide = await readFile(join(root, 'docs/contributing/adding-an-entity.md'), 'utf8')
    const [migration, field] = [...guide.matchAll(/^#### `([^`]+)`\n\n```\w+\n([\s\S]*?)^```$/gm)]
    const [path, fields] = [migration![1]!, join(copy, field![1]!)]
    await write(path, migration![2]!)
    await writeFile(fields, (await readFile(fields, 'utf8')).replace(/^ {4}notes: field/m, `${field![2]!}$&`))
    await run(process.execPath, ['scripts/generate.ts'])
    await checkTypes()
    await run(process.execPath, ['scripts/test.ts', ...WALKS_OF_COLUMNS])
    assert.deepEqual((await changedFiles()).filter((changed) => !GENERATED.test(changed)).toSorted(), [
      path,
      field![1]!,
    ])
    const history = 'records/history/history_sentences.ts'
    const sentence = `import { sentencesOf } from './src/${history}'
      import { VEHICLE } from './src/records/vehicles/fields.ts'
      const entry = { tool: 'vehicles.update', user_name: 'Dana', changed: { color: [null, 'White'] } }
      console.log(sentencesOf(entry, {}, VEHICLE.fields).join())`
    assert.equal(
      (await run(process.execPath, ['--input-type=module', '--eval', sentence])).trim(),
      'Dana changed: Color',
    )
  })

  it('makes every_tool.ts fail with the name of its examples.ts when that file is missing', async () => {
    await rm(join(copy, 'src/records/vehicles/examples.ts'))
    await assert.rejects(
      run(process.execPath, ['test/harness/clients/every_tool.ts']),
      /src\/records\/vehicles\/examples\.ts is missing/,
    )
  })
})
