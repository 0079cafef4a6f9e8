import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, extname } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, gzip, gzipSync } from 'node:zlib'
import { assetHeaders } from './headers.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** Typeface of every page, Latin letters only: Inter, under the SIL Open Font License 1.1. */
const TYPEFACE = { name: 'inter.woff2', file: '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2' }

type ContentEncoding = 'br' | 'gzip' | 'identity'
type Asset = {
  address: string
  type: string
  identity: Buffer
  encodings: Map<ContentEncoding, Buffer>
  kind?: 'package' | 'worker'
}

const COMPRESSORS: Readonly<Record<ContentEncoding, (bytes: Buffer) => Buffer>> = {
  br: (bytes) => brotliCompressSync(bytes),
  gzip: (bytes) => gzipSync(bytes),
  identity: (bytes) => bytes,
}

const IMPORT = /(^import (?:[^']* from )?)'\.{1,2}\/(?:[a-z_.]+\/)*([a-z_]+\.js)'/gm
/** Matches comments on lines of their own, and types before an expression. */
const SCRIPT_COMMENT = /^[ \t]*(?:\/\/.*|\/\*\*(?:(?!\*\/)[^])*\*\/)\n|\/\*\* @type (?:(?!\*\/)[^])*\*\/ /gm
const STYLE_IMPORT = /@import "([a-z_]+\.css)";\n/g
const folder = new URL('../../../public/', import.meta.url)
const assets = new Map<string, Asset>()

/** Paths below public/ by file name, which must be unique, and the path of the typeface. */
const pathOf = new Map([[TYPEFACE.name, createRequire(import.meta.url).resolve(TYPEFACE.file)]])
for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
  if (extname(path) === '') continue
  if (pathOf.has(basename(path))) throw new Error(`public/ has two files named ${basename(path)}`)
  pathOf.set(basename(path), path)
}
for (const name of pathOf.keys()) assetOf(name)
const byAddress = new Map([...assets.values()].map((asset) => [asset.address, asset]))

/** Returns the address of a file in `public/`. It includes the hash of the content. */
export function assetAddress(name: string): string {
  const asset = assets.get(name)
  if (asset === undefined) throw new Error(`No ${name} in public/`)
  return asset.address
}

export const typefaceAddress = assetAddress(TYPEFACE.name)

/** Returns the file at an address, in the smallest encoding that the browser accepts. */
export function assetAt(path: string, accepted = ''): Response | undefined {
  const asset = byAddress.get(path)
  if (asset === undefined) return undefined
  const encoding = encodingOf(asset, accepted)
  const bytes = compressAsset(asset, encoding)
  return new Response(new Uint8Array(bytes), {
    headers: {
      ...assetHeaders(asset.type, asset.kind === 'worker'),
      'Content-Length': String(bytes.length),
      ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
    },
  })
}

/** Adds a file of an optional package, and returns its address. */
export function addAsset(name: string, path: string, isWorker = false): string {
  const existing = assets.get(name)
  if (existing !== undefined) return existing.address
  const asset: Asset = { ...toAsset(name, readFileSync(path)), kind: isWorker ? 'worker' : 'package' }
  assets.set(name, asset)
  byAddress.set(asset.address, asset)
  void compressLater(asset)
  return asset.address
}

const [compressBrotli, compressGzip] = [promisify<Buffer, Buffer>(brotliCompress), promisify<Buffer, Buffer>(gzip)]

/** Compresses a large file off the event loop; until then browsers get it uncompressed. */
async function compressLater({ identity, encodings }: Asset): Promise<void> {
  encodings.set('gzip', await compressGzip(identity))
  encodings.set('br', await compressBrotli(identity))
}

/** Returns the smallest encoding that the browser accepts. A typeface is already compressed. */
function encodingOf({ type, kind, encodings }: Asset, accepted: string): ContentEncoding {
  const encoding = type === TYPES['.woff2'] ? 'identity' : smallestEncoding(accepted)
  return kind === undefined || encodings.has(encoding) ? encoding : 'identity'
}

/** Encodings with their patterns in `Accept-Encoding`, smallest first. */
const ENCODING_PATTERNS = (['br', 'gzip'] as const).map(
  (encoding) => [encoding, new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?:,|$))`)] as const,
)

const smallestEncoding = (accepted: string): ContentEncoding =>
  ENCODING_PATTERNS.find(([, pattern]) => pattern.test(accepted))?.[0] ?? 'identity'

/** Compresses an asset at its first request: the best compression is slow, and commands need none. */
function compressAsset({ identity, encodings }: Asset, encoding: ContentEncoding): Buffer {
  const bytes = encodings.get(encoding) ?? COMPRESSORS[encoding](identity)
  encodings.set(encoding, bytes)
  return bytes
}

function assetOf(name: string): Asset {
  const existing = assets.get(name)
  if (existing !== undefined) return existing
  const asset = readAsset(name)
  assets.set(name, asset)
  return asset
}

/** Returns a script with imports replaced by addresses, which include the hash of the imported files. */
function resolveImports(content: Buffer, type: string): Buffer {
  if (type !== TYPES['.js']) return content
  const toAddress = (_: string, before: string, name: string): string => `${before}'${assetOf(name).address}'`
  return Buffer.from(content.toString().replace(IMPORT, toAddress))
}

/** Returns a stylesheet with its imports inlined and the typeface's address filled in. */
function resolveStyles(content: Buffer, type: string): Buffer {
  if (type !== TYPES['.css']) return content
  const css = content.toString().replace(STYLE_IMPORT, (_, name: string) => readFileSync(new URL(name, folder), 'utf8'))
  return Buffer.from(css.replace(`"${TYPEFACE.name}"`, () => `"${assetOf(TYPEFACE.name).address}"`))
}

/** Returns a stylesheet without comments and unneeded whitespace. */
function minifyCss(content: Buffer, type: string): Buffer {
  if (type !== TYPES['.css']) return content
  const tighten = (all: string, punctuation?: string, colon?: string): string =>
    punctuation ?? colon ?? (all.startsWith('"') ? all : ' ')
  const text = content.toString().replace(/\/\*[^]*?\*\//g, '')
  return Buffer.from(text.replace(/"[^"]*"|\s*([{};,])\s*|(?<!\s)(:)\s+|\s+/g, tighten))
}

/** Returns a script without comments and types. */
function removeComments(content: Buffer, type: string): Buffer {
  return type === TYPES['.js'] ? Buffer.from(content.toString().replace(SCRIPT_COMMENT, '')) : content
}

function readAsset(name: string): Asset {
  const type = TYPES[extname(name)]
  if (type === undefined) throw new Error(`public/${name} has a type that isn't served`)
  const content = readFileSync(new URL(pathOf.get(name) ?? name, folder))
  const script = removeComments(resolveImports(content, type), type)
  return toAsset(name, minifyCss(resolveStyles(script, type), type))
}

function toAsset(name: string, identity: Buffer): Asset {
  const type = TYPES[extname(name)] ?? ''
  const hash = createHash('sha256').update(identity).digest('base64url').slice(0, 12)
  const address = `/assets/${name.slice(0, -extname(name).length)}.${hash}${extname(name)}`
  return { address, type, identity, encodings: new Map() }
}
