import { parseEmail, receiveEmail } from '../../messaging/inbox/inbound/inbound_email.ts'
import { jsonAnswer, type HttpAnswer } from '../../platform/errors/http_refusal.ts'
import type { Endpoint } from '../handler.ts'
import { emailDefaults } from './email.ts'
import type { Gate } from '../body/intake.ts'
import type { SignatureScheme } from '../signatures/signature.ts'

/** Returns the endpoint for mail to the companies' addresses (docs/spec/messages.md#email). */
export function inboundEmailEndpoint(scheme: SignatureScheme, gate: Gate): Endpoint {
  async function handle(body: Buffer): Promise<HttpAnswer> {
    const message = await parseEmail(body)
    if (message === undefined) return jsonAnswer(200, { accepted: false })
    await gate((database) => receiveEmail(database, message, body), { piecemeal: true })
    return jsonAnswer(200, { accepted: true })
  }
  return { ...emailDefaults, name: 'email/inbound', maxBytes: 40 * 2 ** 20, deadlineMs: 60_000, scheme, handle }
}
