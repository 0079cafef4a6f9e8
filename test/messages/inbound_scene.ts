import assert from 'node:assert/strict'
import { startTestService } from '../harness/harness.ts'
import { freshId, makeReceiver } from '../harness/messaging/inbound.ts'
import { WEBHOOK_ENV, providerOf } from '../harness/clients/webhook_calls.ts'

export const PATH = '/api/webhooks/email/inbound'

export const freshMail = (): string => `<${freshId('m')}@mail.example.com>`

export type InboundScene = Awaited<ReturnType<typeof openInboundScene>>

/** Starts a service with a company that receives email, and its provider. */
export async function openInboundScene() {
  const service = await startTestService(WEBHOOK_ENV)
  const provider = providerOf(service)
  const company = await makeReceiver(service)
  return {
    service,
    provider,
    company,
    /** Posts an email to the company and returns its id. */
    async mail(given: object = {}, id = freshMail()): Promise<string> {
      const { status, text } = await provider.email(PATH, {
        from: 'Ana <ana@example.com>',
        to: company.address,
        messageId: id,
        subject: 'Boiler',
        text: 'It leaks.',
        ...given,
      })
      assert.deepEqual([status, text], [200, '{"accepted":true}'], JSON.stringify(given).slice(0, 200))
      return id
    },
  }
}
