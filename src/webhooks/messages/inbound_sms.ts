import { receiveSms, type ReportedPicture } from '../../messaging/inbox/inbound/inbound_sms.ts'
import { HttpRefusal, jsonAnswer, type HttpAnswer } from '../../platform/errors/http_refusal.ts'
import type { Endpoint } from '../door.ts'
import type { Gate } from '../body/intake.ts'
import { only, readForm, type PostedForm } from '../signatures/form.ts'
import type { Scheme } from '../signatures/signature.ts'
import { ofSms } from './sms.ts'

/** Returns the endpoint for messages that people send to managed numbers (docs/spec/messages.md#sms). */
export function inboundSmsEndpoint(scheme: Scheme, gate: Gate): Endpoint {
  async function take(body: Buffer): Promise<HttpAnswer> {
    const form = readForm(body)
    const sid = only(form, 'MessageSid') ?? ''
    if (!SID.test(sid)) throw new HttpRefusal(jsonAnswer(400, { error: "MessageSid is missing or can't be one" }))
    const [from = '', to = '', text = ''] = ['From', 'To', 'Body'].map((name) => only(form, name))
    const pictures = picturesIn(form)
    await gate((database) =>
      receiveSms(database, { sid, from, to, body: text, ...(pictures.length === 0 ? {} : { pictures }) }),
    )
    return NO_REPLY
  }
  return { ...ofSms, name: 'sms/inbound-sms', scheme, take }
}

/** Is the most that the provider sends. */
const MAX_PICTURES = 10

function picturesIn(form: PostedForm): ReportedPicture[] {
  const count = /^\d{1,3}$/.test(only(form, 'NumMedia') ?? '')
    ? Math.min(Number(only(form, 'NumMedia')), MAX_PICTURES)
    : 0
  return Array.from({ length: count }, (_, i) => ({
    url: only(form, `MediaUrl${i}`) ?? '',
    type: only(form, `MediaContentType${i}`) ?? '',
  }))
}

/** Matches printable text without spaces; no provider's ids are nearly this long. */
const SID = /^[\x21-\x7e]{1,128}$/

const NO_REPLY: HttpAnswer = { status: 200, headers: { 'Content-Type': 'text/xml' }, body: '<Response></Response>' }
