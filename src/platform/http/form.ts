import { readWebBody } from './body.ts'
import { say } from '../i18n/say.ts'
import { messageRefusal } from '../html/message.ts'
import { parseQuery } from './nul.ts'
import type { HttpRefusal } from '../errors/http_refusal.ts'

const DEFAULT_MAX_BYTES = 64 * 1024

/** Maximum bytes of a form that anyone may send, signed in or not. */
export const MAX_PUBLIC_FORM_BYTES = 4 * 1024

/** Maximum bytes of a form that a page keeps until its person has signed in again. */
export const MAX_SAVED_FORM_BYTES = 512 * 1024

/** Maximum number of form fields. A document of 200 lines has about 2,000, and some of its rows may be empty. */
const MAX_FIELDS = 3_000
const MAX_ROWS = 300

/** Reads the fields of a form of at most `most` bytes. */
export const readFormFields = async (request: Request, maxBytes = DEFAULT_MAX_BYTES): Promise<URLSearchParams> =>
  parseFields(await readFormBody(request, maxBytes))

/** Reads the raw body of a form. */
export async function readFormBody(request: Request, maxBytes: number): Promise<Buffer> {
  if (!isForm(request)) throw notFormRefusal()
  const body = await readWebBody(request, { maxBytes })
  if (body === 'gone') throw new Error('The sender of a form disconnected')
  if (typeof body === 'string') throw tooLargeRefusal(maxBytes)
  return body
}

/** Parses the fields of a form after counting them. */
export function parseFields(body: Buffer): URLSearchParams {
  if (occursMoreThan(body, '&', MAX_FIELDS - 1)) throw tooManyFieldsRefusal()
  const fields = parseQuery(body.toString())
  const rows = new Set([...fields.keys()].flatMap((name) => /^[a-z_]{1,60}\.\d{1,4}(?=\.)/.exec(name) ?? []))
  if (rows.size > MAX_ROWS) throw tooManyFieldsRefusal()
  return fields
}

/** Checks whether a mark occurs in a body more than `most` times. Stops counting there. */
function occursMoreThan(body: Buffer, separator: string, max: number): boolean {
  let count = 0
  for (let at = body.indexOf(separator); at >= 0 && count <= max; at = body.indexOf(separator, at + separator.length))
    count++
  return count > max
}

/** Checks whether the body is a form without files. */
export const isForm = (request: Request): boolean => typeOf(request) === 'application/x-www-form-urlencoded'

/** Checks whether the body is a form with files. */
export const hasFiles = (request: Request): boolean => typeOf(request) === 'multipart/form-data'

const typeOf = (request: Request): string | undefined =>
  request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()

export const notFormRefusal = (): HttpRefusal =>
  formRefusal(415, say`This isn't a form`, say`Only a form can be sent to this address.`)

export const tooLargeRefusal = (maxBytes: number): HttpRefusal =>
  formRefusal(
    413,
    say`Too much data`,
    say`A form can hold ${maxBytes < 2 ** 20 ? `${Math.floor(maxBytes / 1024)} kB` : `${Math.floor(maxBytes / 2 ** 20)} MiB`}.`,
  )

const tooManyFieldsRefusal = (): HttpRefusal =>
  formRefusal(
    413,
    say`Too much data`,
    say`A form can have ${MAX_FIELDS} fields in ${MAX_ROWS} rows, a document 200 lines. Go back, take some out, and send it again.`,
  )

const formRefusal = (status: 413 | 415, title: string, body: string): HttpRefusal =>
  messageRefusal({ title, body, status })
