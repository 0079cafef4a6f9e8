import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { entities } from '../../src/records/index.ts'
import { picture } from '../../scripts/architecture/picture.ts'
import {
  importsBetweenFolders,
  importsBetweenModules,
  reaches,
  readModules,
  withoutShortcuts,
  type Arrow,
  type Module,
} from '../../scripts/architecture/modules.ts'

const root = join(import.meta.dirname, '..', '..')
const PATH = /`((?:[\w-]+\/)+(?:[\w.-]+)?|[\w-]+\.(?:ts|md|css|sql))`/g

let page: string
let modules: Module[]
let arrows: Arrow[]

before(async () => {
  page = await readFile(join(root, 'docs', 'contributing', 'architecture.md'), 'utf8')
  modules = await readModules()
  arrows = await importsBetweenModules(modules)
})

/** Returns the text under a level 2 heading. */
function part(heading: string): string {
  const found = new RegExp(`^## ${heading}\\n(.*?)(?=^## |(?![^]))`, 'ms').exec(page)
  assert.ok(found, heading)
  return found[1]!
}

/** Lists the folders of src/ that contain code, at every depth. */
async function foldersOfCode(): Promise<string[]> {
  const found = new Set<string>()
  for await (const path of glob('**/*.ts', { cwd: join(root, 'src') })) {
    const steps = path.split('/').slice(0, -1)
    steps.forEach((_, i) => found.add(`${steps.slice(0, i + 1).join('/')}/`))
  }
  return [...found].sort()
}

describe('docs/contributing/architecture.md', () => {
  it('names only files and folders that exist', () => {
    const named = [...page.matchAll(PATH)].map(([, path]) => path!)
    assert.ok(named.length > 150)
    assert.deepEqual(
      named.filter((path) => !existsSync(join(root, 'src', path)) && !existsSync(join(root, path))),
      [],
    )
  })

  it('describes every code folder of src/ once; entity folders may be left out', async () => {
    const described = [...part('Modules').matchAll(/^ *- `([\w/]+\/)` /gm)].map(([, folder]) => folder!)
    assert.equal(new Set(described).size, described.length)
    const folders = await foldersOfCode()
    assert.deepEqual(
      described.filter((folder) => !folders.includes(folder)),
      [],
    )
    const entityFolders = new Set(entities.map(({ name }) => `records/${name}/`))
    assert.deepEqual(
      folders.filter((folder) => !described.includes(folder) && !entityFolders.has(folder)),
      [],
    )
  })

  it('describes every file at the top of src/', async () => {
    const files: string[] = []
    for await (const path of glob('*.ts', { cwd: join(root, 'src') })) if (!path.endsWith('.test.ts')) files.push(path)
    const text = part('Modules')
    assert.deepEqual(
      files.filter((file) => !text.includes(`\`${file}\``)),
      [],
    )
  })

  it('has six walkthroughs, each with at least five steps numbered in order', () => {
    const walkthroughs = part('Six walkthroughs').split(/^### /m).slice(1)
    assert.equal(walkthroughs.length, 6)
    for (const walkthrough of walkthroughs) {
      const steps = [...walkthrough.matchAll(/^(\d+)\. `/gm)].map(([, number]) => Number(number))
      assert.ok(steps.length > 4, walkthrough)
      assert.deepEqual(
        steps,
        steps.map((_, i) => i + 1),
      )
    }
  })

  it('explains 20 to 30 glossary terms, each once and each used in the code', async () => {
    const terms = [...part('Glossary').matchAll(/^\| `([^`]+)` \|/gm)].map(([, term]) => term!)
    const texts: string[] = []
    for await (const path of glob('**/*.{ts,sql}', { cwd: join(root, 'src') }))
      texts.push(await readFile(join(root, 'src', path), 'utf8'))
    const code = texts.join('\n')
    assert.ok(terms.length >= 20 && terms.length <= 30)
    assert.equal(new Set(terms).size, terms.length)
    const isUsed = (term: string): boolean =>
      new RegExp(`(?<![a-z\\d])${RegExp.escape(term)}(?:e?s|e?d)?(?![a-z\\d])`, 'i').test(code)
    assert.deepEqual(
      terms.filter((term) => !isUsed(term)),
      [],
    )
  })
})

describe('the layers', () => {
  it('contain each folder of src/ exactly once', async () => {
    const held = modules.map(({ name }) => name)
    assert.equal(new Set(held).size, held.length)
    const folders = new Set((await importsBetweenFolders()).flatMap(({ from, to }) => [from, to]))
    assert.deepEqual([...held].sort(), [...folders].sort())
  })

  it('never import a module in a higher layer', () => {
    const layers = [...new Set(modules.map(({ layer }) => layer))]
    const rank = (name: string): number => layers.indexOf(modules.find((module) => module.name === name)!.layer)
    assert.ok(arrows.length > 60)
    assert.deepEqual(
      arrows.filter(({ from, to }) => rank(from) > rank(to)),
      [],
    )
  })

  it('have no imports between two entry points', () => {
    const entryPoints = new Set(modules.filter(({ layer }) => layer === 'Entry points').map(({ name }) => name))
    assert.equal(entryPoints.size, 5)
    assert.deepEqual(
      arrows.filter(({ from, to }) => entryPoints.has(from) && entryPoints.has(to)),
      [],
    )
  })
})

describe('the architecture diagram', () => {
  it('omits exactly the arrows that other arrows imply', () => {
    const drawn = withoutShortcuts(arrows)
    assert.ok(drawn.length < arrows.length)
    assert.deepEqual(
      arrows.filter((arrow) => !reaches(drawn, arrow)),
      [],
    )
    assert.deepEqual(
      drawn.filter((arrow) =>
        reaches(
          drawn.filter((other) => other !== arrow),
          arrow,
        ),
      ),
      [],
    )
  })

  it('matches the current imports, has a box for each module and is under 60 kB', async () => {
    const svg = await readFile(join(root, 'docs', 'contributing', 'architecture.svg'), 'utf8')
    assert.equal(svg, await picture(), 'npm run generate draws it anew')
    for (const { name } of modules) assert.ok(svg.includes(`>${name}<`), name)
    assert.ok(Buffer.byteLength(svg) < 60_000)
  })
})
