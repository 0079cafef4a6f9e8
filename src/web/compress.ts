import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants } from 'node:zlib'
import type { MiddlewareHandler } from 'hono'

const pack = promisify(brotliCompress)

/** Costs less than gzip, for smaller pages; 7 takes half as long again for a hundredth of the bytes. */
export const QUALITY = 5

/** Window of 64 KiB, which few pages fill: a larger one is memory to clear for each answer. */
export const WINDOW_BITS = 16

/** Maximum bytes packed on this thread, in about half a millisecond; handing them to another costs as much. */
const MAX_AT_ONCE = 40_000

/** Packs a page by brotli for a browser that takes it, as all do over TLS; what is left as it is goes by gzip. */
export const compressPage: MiddlewareHandler = async (context, next) => {
  await next()
  const { res } = context
  if (!res.headers.get('content-type')?.startsWith('text/html') || res.headers.has('content-encoding')) return
  if (context.req.method === 'HEAD' || !takesBrotli(context.req.header('accept-encoding') ?? '')) return
  const page = Buffer.from(await res.arrayBuffer())
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: page.length,
  }
  const packed = page.length > MAX_AT_ONCE ? await pack(page, { params }) : brotliCompressSync(page, { params })
  context.res = new Response(new Uint8Array(packed), res)
  context.res.headers.delete('Content-Length')
  context.res.headers.set('Content-Encoding', 'br')
  context.res.headers.append('Vary', 'Accept-Encoding')
}

const takesBrotli = (accepted: string): boolean => /(?:^|,)\s*br\s*(?:,|$)/.test(accepted)
