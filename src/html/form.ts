import { HTTPException } from 'hono/http-exception'
import { message } from './message.ts'

const USUAL_BYTES = 64 * 1024

/** For the form of a whole record with its lines. */
export const RECORD_BYTES = 512 * 1024

/** The fields of a form that was sent, of 64 kB at most unless the address takes more. */
export async function formOf(request: Request, most = USUAL_BYTES): Promise<URLSearchParams> {
  if (!isForm(request)) throw refused(415, 'This isn\'t a form', 'Only a form can be sent to this address.')
  if (Number(request.headers.get('content-length') ?? 0) > most) throw tooMuch(most)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    if (size > most) throw tooMuch(most)
    chunks.push(chunk)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

/** Whether fields were sent, and no files. */
export const isForm = (request: Request): boolean =>
  request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() === 'application/x-www-form-urlencoded'

const tooMuch = (most: number): HTTPException => refused(413, 'This is too much at once', `A form can hold ${most / 1024} kB.`)

const refused = (status: 413 | 415, title: string, says: string): HTTPException => new HTTPException(status, { res: message({ title, says, status }) })
