import { HTTPException } from 'hono/http-exception'
import { message } from './message.ts'

const USUAL_BYTES = 64 * 1024

/** For the form of a whole record with its lines. */
export const RECORD_BYTES = 512 * 1024

/** The fields of a form that was sent, of 64 kB at most unless the address takes more. */
export async function formOf(request: Request, most = USUAL_BYTES): Promise<URLSearchParams> {
  if (!isForm(request)) throw noForm()
  return new URLSearchParams((await bodyOf(request, most)).toString())
}

async function bodyOf(request: Request, most: number): Promise<Buffer<ArrayBuffer>> {
  if (Number(request.headers.get('content-length') ?? 0) > most) throw tooMuch(most)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    if (size > most) throw tooMuch(most)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Whether fields were sent, and no files. */
export const isForm = (request: Request): boolean => typeOf(request) === 'application/x-www-form-urlencoded'

/** Whether a form was sent with files. */
export const hasFiles = (request: Request): boolean => typeOf(request) === 'multipart/form-data'

const typeOf = (request: Request): string | undefined => request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()

export const noForm = (): HTTPException => refused(415, 'This isn\'t a form', 'Only a form can be sent to this address.')

export const tooMuch = (most: number): HTTPException =>
  refused(413, 'This is too much at once', `A form can hold ${most < 2 ** 20 ? `${most / 1024} kB` : `${most / 2 ** 20} MiB`}.`)

const refused = (status: 413 | 415, title: string, says: string): HTTPException => new HTTPException(status, { res: message({ title, says, status }) })
