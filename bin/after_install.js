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

// npm runs this after an installation. It removes files that nothing here reads (about 90 MB more without the packages for tests, with
// npm ci --omit=dev), compiles the program so that its first start is as fast as later ones, and prepares the database that an
// embedded server starts with.
const root = fileURLToPath(new URL('..', import.meta.url))
const modules = join(root, 'node_modules')
const node = join(modules, 'node', 'bin', 'node')

/** Folders of packages that no program here reads: package managers, test samples, formats for bundlers. */
const NEEDLESS_FOLDERS = [
  /\/\.yarn$/,
  /\/bintrees\/test$/,
  /\/@opentelemetry\/[^/]+\/build\/(?:esm|esnext)$/,
  /\/csv-(?:parse|stringify)\/dist\/(?:esm|iife|umd)$/,
]

/**
 * Source maps, TypeScript, static libraries, documents; fonts except the two of src/pdf and that of the pages; OpenTelemetry's
 * experimental names; builds for browsers without modules.
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

/** Removes needless files and folders. Keeps licenses. */
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
 * Strips the symbol table from a Linux program, a fifth of its size, as distributions do. Only debuggers read it. Replaces the program
 * only if the stripped one runs.
 */
function removeSymbols(program) {
  const file = openSync(program, 'r')
  const head = Buffer.alloc(4096)
  readSync(file, head, 0, head.length, 0)
  // 64-bit, little-endian, with program headers right after the file header.
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
  // Offset of the section table, its number of entries, and the index of their names.
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

/** Prepares a database with the current schema. */
function prepareDatabase() {
  run(
    `await (await import(${JSON.stringify(partOf('platform/db/migrations/prepare.ts'))})).prepareDatabase(); process.exit()`,
  )
}

/** Runs a script that makes the first start faster. The program works without it. */
function run(script) {
  spawnSync(node, ['--input-type=module', '-e', script], { stdio: 'ignore', timeout: 300_000 })
}

// Second copy of the runtime, and its headers.
rmSync(join(modules, 'node', 'node_modules'), { recursive: true, force: true })
if (!existsSync(join(modules, 'typescript'))) {
  trim(modules)
  if (existsSync(node)) removeSymbols(node)
}
if (existsSync(node) && existsSync(partOf('start/service.ts'))) {
  compile()
  prepareDatabase()
}
