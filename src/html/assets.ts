import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { extname } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { assetHeaders } from './headers.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

type Asset = { address: string; type: string; forms: Readonly<Record<'br' | 'gzip' | 'identity', Buffer>> }

const folder = new URL('../../public/', import.meta.url)
const assets = new Map(
  readdirSync(folder)
    .sort()
    .map((name) => [name, read(name)]),
)
const byAddress = new Map([...assets.values()].map((asset) => [asset.address, asset]))

/** Returns the address of a file of `public/`, which carries the hash of its content. */
export function assetAddress(name: string): string {
  const asset = assets.get(name)
  if (asset === undefined) throw new Error(`There is no ${name} in public/`)
  return asset.address
}

/** Returns the file at an address, in the smallest form that the browser accepts. */
export function assetAt(path: string, accepted = ''): Response | undefined {
  const asset = byAddress.get(path)
  if (asset === undefined) return undefined
  const form =
    (['br', 'gzip'] as const).find((name) =>
      new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?:,|$))`).test(accepted),
    ) ?? 'identity'
  const bytes = asset.forms[form]
  return new Response(new Uint8Array(bytes), {
    headers: {
      ...assetHeaders(asset.type),
      'Content-Length': String(bytes.length),
      ...(form === 'identity' ? {} : { 'Content-Encoding': form }),
    },
  })
}

function read(name: string): Asset {
  const type = TYPES[extname(name)]
  if (type === undefined) throw new Error(`public/${name} is of a kind that isn't served`)
  const identity = readFileSync(new URL(name, folder))
  const hash = createHash('sha256').update(identity).digest('base64url').slice(0, 12)
  const address = `/assets/${name.slice(0, -extname(name).length)}.${hash}${extname(name)}`
  return { address, type, forms: { identity, gzip: gzipSync(identity), br: brotliCompressSync(identity) } }
}
