import { HTTPException } from 'hono/http-exception'
import { message } from './message.ts'

const MOST_BYTES = 64 * 1024

/** The fields of a form that was sent, of 64 kB at most. */
export async function formOf(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') throw refused(415, 'This isn\'t a form', 'Only a form can be sent to this address.')
  if (Number(request.headers.get('content-length') ?? 0) > MOST_BYTES) throw tooMuch()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    if (size > MOST_BYTES) throw tooMuch()
    chunks.push(chunk)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

const tooMuch = (): HTTPException => refused(413, 'This is too much at once', `A form can hold ${MOST_BYTES / 1024} kB.`)

const refused = (status: 413 | 415, title: string, says: string): HTTPException => new HTTPException(status, { res: message({ title, says, status }) })
