import { spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// npm runs this after an installation. It removes what nothing here ever reads, without the packages for tests (npm ci --omit=dev)
// about 90 MB more, compiles the program once, so that its first start is as fast as the next, and makes the database that an
// embedded server begins with.
const root = fileURLToPath(new URL('..', import.meta.url))
const modules = join(root, 'node_modules')
const node = join(modules, 'node', 'bin', 'node')

/** Folders that packages publish and no program here reads: their package manager, samples of their tests, formats for bundlers. */
const NEEDLESS_FOLDERS = [
  /\/\.yarn$/,
  /\/bintrees\/test$/,
  /\/@opentelemetry\/[^/]+\/build\/(?:esm|esnext)$/,
  /\/csv-(?:parse|stringify)\/dist\/(?:esm|iife|umd)$/,
]

/**
 * Source maps, TypeScript, static libraries, documents; fonts but the two of src/pdf and that of the pages; OpenTelemetry's
 * experimental names; what is for browsers without modules.
 */
const NEEDLESS_FILES = [
  /\.(?:map|[cm]?ts|a|md|markdown)$/,
  /\/dejavu-fonts-ttf\/ttf\/(?!DejaVuSansCondensed(?:-Bold)?\.ttf$)/,
  /\/dejavu-fonts-ttf\/\w+\.txt$/,
  /\/inter\/files\/(?!inter-latin-wght-normal\.woff2$)/,
  /\/semantic-conventions\/dist\/(?:experimental_|index-incubating)/,
  /\/pdfkit\.(?:browser|standalone|old)\b[^/]*$/,
  /\/libphonenumber-js\/bundle\//,
]
const LICENSE = /^(?:licen[cs]e|notice|copying|authors)/i

/** Removes what is needless. Licenses stay. */
function trim(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) {
      if (NEEDLESS_FOLDERS.some((needless) => needless.test(path))) rmSync(path, { recursive: true })
      else trim(path)
    } else if (entry.isFile() && !LICENSE.test(entry.name) && NEEDLESS_FILES.some((needless) => needless.test(path)))
      rmSync(path)
  }
}

/**
 * Removes the table of symbols behind the loaded parts of a Linux program, a fifth of it, as distributions do. Only debuggers read it.
 * The program is replaced once the shorter one runs.
 */
function removeSymbols(program) {
  const file = openSync(program, 'r')
  const head = Buffer.alloc(4096)
  readSync(file, head, 0, head.length, 0)
  // 64 bits, little-endian, with its program headers at the beginning.
  const isKnown =
    head.readUInt32BE(0) === 0x7f454c46 && head[4] === 2 && head[5] === 1 && head.readBigUInt64LE(32) === 64n
  const count = isKnown ? head.readUInt16LE(56) : 0
  let end = 0
  for (let at = 64; at < 64 + count * 56; at += 56)
    end = Math.max(end, Number(head.readBigUInt64LE(at + 8) + head.readBigUInt64LE(at + 32)))
  const { size, mode } = statSync(program)
  if (count === 0 || count > 60 || end < size / 2 || end >= size) return closeSync(file)
  const bytes = Buffer.alloc(end)
  for (let at = 0; at < end;) at += readSync(file, bytes, at, end - at, at)
  closeSync(file)
  // Where the table of sections began, how many there were, and which had their names.
  bytes.writeBigUInt64LE(0n, 40)
  bytes.writeUInt16LE(0, 60)
  bytes.writeUInt16LE(0, 62)
  const shorter = `${program}.short`
  writeFileSync(shorter, bytes, { mode })
  if (spawnSync(shorter, ['-e', 'new Intl.DateTimeFormat()']).status === 0) renameSync(shorter, program)
  else rmSync(shorter)
}

const partOf = (path) => join(root, 'src', path)

/** Fills the cache of bin/callout. */
function compile() {
  const parts = ['start/service.ts', 'identity/oauth/library/provider.ts'].map(partOf)
  const cache = join(modules, '.cache', 'callout')
  run(`const { default: module } = await import('node:module'); module.enableCompileCache(${JSON.stringify(cache)})
    for (const part of ${JSON.stringify(parts)}) await import(part); module.flushCompileCache(); process.exit()`)
}

/** Makes a database with the present schema. */
function prepareDatabase() {
  run(
    `await (await import(${JSON.stringify(partOf('platform/db/migrations/prepare.ts'))})).prepareDatabase(); process.exit()`,
  )
}

/** Runs what makes the first start faster; the program works without it. */
function run(script) {
  spawnSync(node, ['--input-type=module', '-e', script], { stdio: 'ignore', timeout: 300_000 })
}

// The second copy of the runtime, and its headers.
rmSync(join(modules, 'node', 'node_modules'), { recursive: true, force: true })
if (!existsSync(join(modules, 'typescript'))) {
  trim(modules)
  if (existsSync(node)) removeSymbols(node)
}
if (existsSync(node) && existsSync(partOf('start/service.ts'))) {
  compile()
  prepareDatabase()
}
