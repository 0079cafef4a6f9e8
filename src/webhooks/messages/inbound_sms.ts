import { receiveSms, type ReportedPicture } from '../../messaging/inbox/inbound/inbound_sms.ts'
import { HttpRefusal, jsonAnswer, type HttpAnswer } from '../../platform/errors/http_refusal.ts'
import type { Endpoint } from '../handler.ts'
import type { Gate } from '../body/intake.ts'
import { onlyValue, readForm, type PostedForm } from '../signatures/form.ts'
import type { SignatureScheme } from '../signatures/signature.ts'
import { smsDefaults } from './sms.ts'

/** Returns the endpoint for text messages to managed numbers (docs/spec/messages.md#sms). */
export function inboundSmsEndpoint(scheme: SignatureScheme, gate: Gate): Endpoint {
  async function handle(body: Buffer): Promise<HttpAnswer> {
    const form = readForm(body)
    const sid = onlyValue(form, 'MessageSid') ?? ''
    if (!SID.test(sid)) throw new HttpRefusal(jsonAnswer(400, { error: 'MessageSid is missing or invalid' }))
    const [from = '', to = '', text = ''] = ['From', 'To', 'Body'].map((name) => onlyValue(form, name))
    const pictures = picturesIn(form)
    await gate((database) =>
      receiveSms(database, { sid, from, to, body: text, ...(pictures.length === 0 ? {} : { pictures }) }),
    )
    return NO_REPLY
  }
  return { ...smsDefaults, name: 'sms/inbound-sms', scheme, handle }
}

/** Maximum number of pictures per message, as the provider sends them. */
const MAX_PICTURES = 10

function picturesIn(form: PostedForm): ReportedPicture[] {
  const count = /^\d{1,3}$/.test(onlyValue(form, 'NumMedia') ?? '')
    ? Math.min(Number(onlyValue(form, 'NumMedia')), MAX_PICTURES)
    : 0
  return Array.from({ length: count }, (_, i) => ({
    url: onlyValue(form, `MediaUrl${i}`) ?? '',
    type: onlyValue(form, `MediaContentType${i}`) ?? '',
  }))
}

/** Matches printable ASCII without spaces. Providers' ids are far shorter than the limit. */
const SID = /^[\x21-\x7e]{1,128}$/

const NO_REPLY: HttpAnswer = { status: 200, headers: { 'Content-Type': 'text/xml' }, body: '<Response></Response>' }
