import { receiveSms } from '../messages/inbound_sms.ts'
import { Refused, json } from './answer.ts'
import type { Answer } from './answer.ts'
import type { Endpoint } from './door.ts'
import type { Gate } from './intake.ts'
import { only, readForm } from './signatures/form.ts'
import type { Scheme } from './signatures/signature.ts'
import { ofSms } from './sms.ts'

/** Messages that people send to managed numbers (interface 6.2). */
export function inboundSmsEndpoint(scheme: Scheme, gate: Gate): Endpoint {
  async function take(body: Buffer): Promise<Answer> {
    const form = readForm(body)
    const sid = only(form, 'MessageSid') ?? ''
    if (!SID.test(sid)) throw new Refused(json(400, { error: 'MessageSid is missing or can\'t be one' }))
    const [from = '', to = '', text = ''] = ['From', 'To', 'Body'].map((name) => only(form, name))
    await gate((database) => receiveSms(database, { sid, from, to, body: text }))
    return NO_REPLY
  }
  return { ...ofSms, name: 'sms/inbound-sms', scheme, take }
}

/** Printable and without spaces; no provider's ids come near this length. */
const SID = /^[\x21-\x7e]{1,128}$/

const NO_REPLY: Answer = { status: 200, type: 'text/xml', body: '<Response></Response>' }
