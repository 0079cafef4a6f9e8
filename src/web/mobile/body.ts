import { readWebBody } from '../../platform/http/body.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { refusalForPeople } from '../../platform/i18n/refusal_for_people.ts'
import { say } from '../../platform/i18n/say.ts'
import { parseBoundedJson } from '../../platform/validation/json.ts'
import { fieldRefusal, unreadableRefusal } from './member.ts'

/** Maximum bytes of a phone's request. */
const MAX_BYTES = 256 * 1024

/** Parses the JSON body of a phone's request. */
export async function readFieldBody<T>({ req: { raw } }: PageRequest, parse: (value: unknown) => T): Promise<T> {
  if (!/^application\/json\b/i.test(raw.headers.get('content-type') ?? '')) throw unreadableRefusal(415, 'no_json')
  const body = await readWebBody(raw, { maxBytes: MAX_BYTES })
  if (body === 'gone') throw new Error('The sender left')
  if (typeof body === 'string') throw fieldRefusal(413, 'too_large', say`This is too long to send. Make it shorter.`)
  const read = parseBoundedJson(body)
  if ('flaw' in read) throw unreadableRefusal(400, 'no_json')
  if ('excess' in read) throw unreadableRefusal(422, 'invalid_input')
  try {
    return parse(read.value)
  } catch (error) {
    throw error instanceof Refusal ? fieldRefusal(422, 'invalid_input', refusalForPeople(error)) : error
  }
}
