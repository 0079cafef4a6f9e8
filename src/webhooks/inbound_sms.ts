import { receiveSms } from '../messages/inbound_sms.ts'
import type { PictureTold } from '../messages/inbound_sms.ts'
import { Refused, json } from './answer.ts'
import type { Answer } from './answer.ts'
import type { Endpoint } from './door.ts'
import type { Gate } from './intake.ts'
import { only, readForm } from './signatures/form.ts'
import type { Form } from './signatures/form.ts'
import type { Scheme } from './signatures/signature.ts'
import { ofSms } from './sms.ts'

/** Messages that people send to managed numbers (interface 6.2). */
export function inboundSmsEndpoint(scheme: Scheme, gate: Gate): Endpoint {
  async function take(body: Buffer): Promise<Answer> {
    const form = readForm(body)
    const sid = only(form, 'MessageSid') ?? ''
    if (!SID.test(sid)) throw new Refused(json(400, { error: 'MessageSid is missing or can\'t be one' }))
    const [from = '', to = '', text = ''] = ['From', 'To', 'Body'].map((name) => only(form, name))
    const pictures = picturesIn(form)
    await gate((database) => receiveSms(database, { sid, from, to, body: text, ...(pictures.length === 0 ? {} : { pictures }) }))
    return NO_REPLY
  }
  return { ...ofSms, name: 'sms/inbound-sms', scheme, take }
}

/** The provider sends ten at most. */
const MOST_PICTURES = 10

function picturesIn(form: Form): PictureTold[] {
  const count = /^\d{1,3}$/.test(only(form, 'NumMedia') ?? '') ? Math.min(Number(only(form, 'NumMedia')), MOST_PICTURES) : 0
  return Array.from({ length: count }, (_, i) => ({ url: only(form, `MediaUrl${i}`) ?? '', type: only(form, `MediaContentType${i}`) ?? '' }))
}

/** Printable and without spaces; no provider's ids come near this length. */
const SID = /^[\x21-\x7e]{1,128}$/

const NO_REPLY: Answer = { status: 200, type: 'text/xml', body: '<Response></Response>' }
