import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { read, root } from '../harness/repository.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callout-install-'))
  await mkdir(join(folder, 'bin'))
  await copyFile(join(root, 'bin/after_install.js'), join(folder, 'bin/after_install.js'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
})
afterEach(() => rm(folder, { recursive: true }))

const NEEDED = [
  '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  '@opentelemetry/core/build/src/index.js',
  '@opentelemetry/semantic-conventions/dist/index.mjs',
  'a/index.js',
  'a/LICENSE.md',
  'a/data.json',
  'a/test/data.js',
  'csv-parse/dist/cjs/index.cjs',
  'csv-parse/lib/index.js',
  'dejavu-fonts-ttf/LICENSE',
  'dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf',
  'dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf',
  'libphonenumber-js/min/index.js',
  'pdfkit/js/pdfkit.node.mjs',
]
const NEEDLESS = [
  '@fontsource-variable/inter/files/inter-greek-wght-normal.woff2',
  '@opentelemetry/core/build/esm/index.js',
  '@opentelemetry/core/build/esnext/index.js',
  '@opentelemetry/semantic-conventions/dist/experimental_attributes.mjs',
  '@opentelemetry/semantic-conventions/dist/index-incubating.cjs',
  'a/index.js.map',
  'a/index.d.ts',
  'a/src/index.ts',
  'a/README.md',
  'bintrees/test/perf/100k',
  'csv-parse/dist/umd/index.js',
  'csv-stringify/dist/esm/index.js',
  'dejavu-fonts-ttf/status.txt',
  'dejavu-fonts-ttf/ttf/DejaVuSerif.ttf',
  'dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Oblique.ttf',
  'libphonenumber-js/bundle/libphonenumber-max.js',
  'p/.yarn/releases/yarn.cjs',
  'pdfkit/js/pdfkit.standalone.js',
  'postgres/lib/libpq.a',
]

async function install(names: readonly string[]): Promise<string[]> {
  for (const name of names) {
    const path = join(folder, 'node_modules', name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, 'x')
  }
  execFileSync(process.execPath, [join(folder, 'bin/after_install.js')])
  const entries = await readdir(join(folder, 'node_modules'), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(join(folder, 'node_modules/').length))
    .sort()
}

describe('bin/after_install.js', () => {
  it('without test packages, removes unneeded files and keeps licenses', async () => {
    assert.deepEqual(await install([...NEEDED, ...NEEDLESS, 'node/node_modules/x/bin/node']), NEEDED.toSorted())
  })

  it('with test packages, removes only the second copy of Node', async () => {
    const all = [...NEEDED, ...NEEDLESS, 'typescript/index.js']
    assert.deepEqual(await install([...all, 'node/node_modules/x/bin/node']), all.toSorted())
  })

  it('keeps every font that the PDF documents use', async () => {
    const fonts = [...(await read('src/pdf/drawing/pdf_document.ts')).matchAll(/fontFile\('([\w-]+)'\)/g)].map(
      ([, name]) => name!,
    )
    assert.ok(fonts.length > 0)
    for (const font of fonts) assert.ok(NEEDED.includes(`dejavu-fonts-ttf/ttf/${font}.ttf`), font)
  })

  it('keeps the web font of the pages', async () => {
    const file = /file: '(@fontsource[^']+)'/.exec(await read('src/platform/http/assets.ts'))?.[1] ?? ''
    assert.ok(NEEDED.includes(file), file)
  })

  it(
    'strips symbols from the Node binary and leaves it working',
    { skip: process.platform !== 'linux' && 'symbols are removed on Linux' },
    async () => {
      const program = join(folder, 'node_modules/node/bin/node')
      await mkdir(dirname(program), { recursive: true })
      await cp(process.execPath, program)
      const before = (await stat(program)).size
      await install([])
      const after = (await stat(program)).size
      assert.ok(after === before || after < 0.85 * before, `${before} ${after}`)
      const { stdout, status } = spawnSync(program, ['-p', 'new Intl.NumberFormat("es").format(1234.5)'])
      assert.deepEqual([String(stdout).trim(), status, existsSync(`${program}.short`)], ['1234,5', 0, false])
      // Any other file stays unchanged.
      await writeFile(program, 'no program at all'.repeat(500))
      await install([])
      assert.equal((await stat(program)).size, 17 * 500)
    },
  )
})
