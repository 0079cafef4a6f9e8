import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { limitBody, isDeclaredLarger, streamOf } from './body.ts'
import { hasFiles, notFormRefusal, tooLargeRefusal } from './form.ts'
import { messageRefusal } from '../html/message.ts'
import { openNamelessFile, type NamelessFile } from './nameless_file.ts'
import { HttpRefusal } from '../errors/http_refusal.ts'
import { dropNul } from './nul.ts'
import { say } from '../i18n/say.ts'

/** Uploaded file. The browser sets the name and the type. */
export type UploadedFile = {
  field: string
  name: string
  type: string
  size: number
  /** Passes the content to `use`, for a few files at a time, since `use` may hold a whole file in memory. */
  withContent<T>(use: (content: ReadableStream<Uint8Array>) => Promise<T>): Promise<T>
}

/** Complete form with files. The files exist until `release` is called. */
export type UploadedForm = { fields: URLSearchParams; files: readonly UploadedFile[]; release(): Promise<void> }

export type Uploads = {
  /** Receives the form of a request, of at most `most` bytes; it counts against the quota of `quotaOwner`. */
  receive(request: Request, maxBytes: number, quotaOwner: string): Promise<UploadedForm>
  /** Bytes reserved for forms that are being received. */
  readonly reservedBytes: number
}

/** Maximum bytes of all forms at the same time, and of one company's forms. */
const MAX_TOTAL_BYTES = 1024 * 2 ** 20
const MAX_OWNER_BYTES = 768 * 2 ** 20

const MAX_CONCURRENT_READS = 4
const LIMITS = { parts: 100, files: 50, fields: 50, fieldSize: 64 * 1024, headerPairs: 20, headerSize: 8 * 1024 }

/**
 * Returns a receiver of forms with files. Their data isn't kept in memory but in a file without a name, which
 * disappears with the process.
 */
export function openUploads(): Uploads {
  const bytesByOwner = new Map<string, number>()
  const runLimited = limitConcurrency(MAX_CONCURRENT_READS)
  let reservedBytes = 0

  function reserve(bytes: number, quotaOwner: string): () => void {
    const ownerBytes = bytesByOwner.get(quotaOwner) ?? 0
    if (reservedBytes + bytes > MAX_TOTAL_BYTES || ownerBytes + bytes > MAX_OWNER_BYTES) throw busyRefusal()
    reservedBytes += bytes
    bytesByOwner.set(quotaOwner, ownerBytes + bytes)
    return () => {
      reservedBytes -= bytes
      const remaining = (bytesByOwner.get(quotaOwner) ?? bytes) - bytes
      if (remaining > 0) bytesByOwner.set(quotaOwner, remaining)
      else bytesByOwner.delete(quotaOwner)
    }
  }

  return {
    get reservedBytes() {
      return reservedBytes
    },
    receive: async (request, maxBytes, quotaOwner) => {
      if (!hasFiles(request)) throw notFormRefusal()
      const declared = request.headers.get('content-length')
      if (isDeclaredLarger(declared, maxBytes)) throw tooLargeRefusal(maxBytes)
      const releaseBytes = reserve(declared === null ? maxBytes : Number(declared), quotaOwner)
      const spool = await openNamelessFile('upload').catch((error: unknown) => {
        releaseBytes()
        throw error
      })
      const release = async (): Promise<void> => {
        releaseBytes()
        await spool.close()
      }
      try {
        return { ...(await receiveForm(request, maxBytes, spool, runLimited)), release }
      } catch (error) {
        await release()
        throw error
      }
    },
  }
}

type RunLimited = <T>(work: () => Promise<T>) => Promise<T>

async function receiveForm(
  request: Request,
  maxBytes: number,
  spool: NamelessFile,
  runLimited: RunLimited,
): Promise<Pick<UploadedForm, 'fields' | 'files'>> {
  if (request.body === null) throw notFormRefusal()
  const fields = new URLSearchParams()
  const files: UploadedFile[] = []
  const form = openParser(request)
  let written = Promise.resolve()
  const saveFile = async (
    about: Pick<UploadedFile, 'field' | 'name' | 'type'>,
    content: AsyncIterable<Buffer>,
  ): Promise<void> => {
    const begin = spool.size
    for await (const piece of content) await spool.write(piece)
    const end = spool.size
    files.push({
      ...about,
      size: end - begin,
      withContent: (use) => runLimited(() => use(ReadableStream.from(spool.read(begin, end)))),
    })
  }
  form.on('field', (name, value) => fields.append(dropNul(name), dropNul(value)))
  form.on('file', (field, content, name, _encoding, type) => {
    // It may fail before anything reads it.
    content.on('error', () => {})
    written = written.then(() => saveFile({ field, name: decodeFileName(name), type }, content))
    written.catch((error: Error) => form.destroy(error))
  })
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    form.once(limit, () => form.destroy(tooManyFilesRefusal()))
  try {
    await pipeline(
      streamOf(request.body),
      limitBody(maxBytes, () => tooLargeRefusal(maxBytes)),
      form,
    )
    await written
    return { fields, files }
  } catch (error) {
    throw error instanceof HttpRefusal || error === spool.fault() ? error : notFormRefusal()
  }
}

const ESCAPED: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n' }

/** Decodes a file name as browsers encode it (WHATWG HTML, "multipart form data"). */
const decodeFileName = (written: string | undefined): string =>
  (written ?? '').replace(/%(22|0D|0A)/gi, (escaped) => ESCAPED[escaped.toUpperCase()] ?? escaped)

function openParser(request: Request): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': request.headers.get('content-type') ?? '' },
      limits: LIMITS,
      preservePath: true,
      fileHwm: 16 * 1024,
    })
  } catch {
    throw notFormRefusal()
  }
}

/** Returns a function that runs at most `most` tasks at a time, the others in order. */
function limitConcurrency(max: number): RunLimited {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running === max) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}

const tooManyFilesRefusal = (): HttpRefusal =>
  messageRefusal({ title: say`Too much data`, body: say`A form can hold ${LIMITS.files} files.`, status: 413 })

const busyRefusal = (): HttpRefusal =>
  messageRefusal({
    title: say`Too many uploads at once`,
    body: say`Other people are uploading files right now. Send yours again in a moment.`,
    status: 503,
    headers: { 'Retry-After': '10' },
  })
