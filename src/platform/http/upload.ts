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

/** Complete form with files. The files exist until `letGo` is called. */
export type UploadedForm = { fields: URLSearchParams; files: readonly UploadedFile[]; letGo(): Promise<void> }

export type Uploads = {
  /** Receives the form of a request, of at most `most` bytes; it counts against the quota of `whose`. */
  receive(request: Request, most: number, whose: string): Promise<UploadedForm>
  /** Bytes reserved for forms that are being received. */
  readonly under: number
}

/** Maximum bytes of all forms at the same time, and of one company's forms. */
const MAX_TOGETHER = 1024 * 2 ** 20
const MAX_OF_ONE = 768 * 2 ** 20

const HANDED_OVER_AT_ONCE = 4
const LIMITS = { parts: 100, files: 50, fields: 50, fieldSize: 64 * 1024, headerPairs: 20, headerSize: 8 * 1024 }

/**
 * Returns a receiver of forms with files. Their data isn't kept in memory but in a file without a name, which
 * disappears with the process.
 */
export function openUploads(): Uploads {
  const shares = new Map<string, number>()
  const few = limitConcurrency(HANDED_OVER_AT_ONCE)
  let under = 0

  function reserve(bytes: number, whose: string): () => void {
    const own = shares.get(whose) ?? 0
    if (under + bytes > MAX_TOGETHER || own + bytes > MAX_OF_ONE) throw busy()
    under += bytes
    shares.set(whose, own + bytes)
    return () => {
      under -= bytes
      const remaining = (shares.get(whose) ?? bytes) - bytes
      if (remaining > 0) shares.set(whose, remaining)
      else shares.delete(whose)
    }
  }

  return {
    get under() {
      return under
    },
    receive: async (request, most, whose) => {
      if (!hasFiles(request)) throw notFormRefusal()
      const declared = request.headers.get('content-length')
      if (isDeclaredLarger(declared, most)) throw tooLargeRefusal(most)
      const release = reserve(declared === null ? most : Number(declared), whose)
      const spool = await openNamelessFile('upload').catch((error: unknown) => {
        release()
        throw error
      })
      const letGo = async (): Promise<void> => {
        release()
        await spool.close()
      }
      try {
        return { ...(await receiveForm(request, most, spool, few)), letGo }
      } catch (error) {
        await letGo()
        throw error
      }
    },
  }
}

type RunLimited = <T>(work: () => Promise<T>) => Promise<T>

async function receiveForm(
  request: Request,
  most: number,
  spool: NamelessFile,
  few: RunLimited,
): Promise<Pick<UploadedForm, 'fields' | 'files'>> {
  if (request.body === null) throw notFormRefusal()
  const fields = new URLSearchParams()
  const files: UploadedFile[] = []
  const form = formIn(request)
  let written = Promise.resolve()
  const take = async (
    about: Pick<UploadedFile, 'field' | 'name' | 'type'>,
    content: AsyncIterable<Buffer>,
  ): Promise<void> => {
    const begin = spool.size
    for await (const piece of content) await spool.write(piece)
    const end = spool.size
    files.push({
      ...about,
      size: end - begin,
      withContent: (use) => few(() => use(ReadableStream.from(spool.read(begin, end)))),
    })
  }
  form.on('field', (name, value) => fields.append(dropNul(name), dropNul(value)))
  form.on('file', (field, content, name, _encoding, type) => {
    // It may fail before anything reads it.
    content.on('error', () => {})
    written = written.then(() => take({ field, name: nameIn(name), type }, content))
    written.catch((error: Error) => form.destroy(error))
  })
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    form.once(limit, () => form.destroy(tooMany()))
  try {
    await pipeline(
      streamOf(request.body),
      limitBody(most, () => tooLargeRefusal(most)),
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
const nameIn = (written: string | undefined): string =>
  (written ?? '').replace(/%(22|0D|0A)/gi, (escaped) => ESCAPED[escaped.toUpperCase()] ?? escaped)

function formIn(request: Request): BusboyInstance {
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
function limitConcurrency(most: number): RunLimited {
  const waiting: (() => void)[] = []
  let busy = 0
  return async (work) => {
    if (busy === most) await new Promise<void>((resolve) => waiting.push(resolve))
    else busy++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) busy--
      else next()
    }
  }
}

const tooMany = (): HttpRefusal =>
  messageRefusal({ title: say`Too much data`, body: say`A form can hold ${LIMITS.files} files.`, status: 413 })

const busy = (): HttpRefusal =>
  messageRefusal({
    title: say`Too many files are on their way`,
    body: say`Others are sending files just now. Send yours again in a moment.`,
    status: 503,
    headers: { 'Retry-After': '10' },
  })
