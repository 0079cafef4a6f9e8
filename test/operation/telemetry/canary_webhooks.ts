import { MAILBOXES, NUMBERS, addChannel } from '../../../src/messaging/inbox/directory.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import { makeAttachment } from '../../harness/files/files.ts'
import type { Company } from '../../harness/harness.ts'
import { emailHeaders, paymentsHeader, post, smsSignature, encodeForm } from '../../harness/clients/webhook_calls.ts'
import { CANARY, SECRETS, type Watched } from './canary.ts'

/** Sends every webhook: signed, with a wrong signature, and with an invalid body. */
export async function sendWebhooks({ origin, database, config }: Watched, { tenant }: Company): Promise<void> {
  const number = '+16175550123'
  const address = `${CANARY}@in.example.com`.toLowerCase()
  await Promise.allSettled([
    addChannel(database, NUMBERS, tenant, number),
    addChannel(database, MAILBOXES, tenant, address),
  ])
  const json = { 'content-type': 'application/json' }
  const to = (path: string): string => `${origin}/api/webhooks/${path}`
  const event = JSON.stringify({
    id: `evt_${CANARY}`,
    type: CANARY,
    account: CANARY,
    data: { object: { id: CANARY, metadata: { [CANARY]: CANARY } } },
  })
  const mail = JSON.stringify({
    from: `${CANARY} <${CANARY}@example.com>`,
    to: address,
    messageId: `<${CANARY}-${newId()}@example.com>`,
    subject: CANARY,
    text: CANARY,
    html: `<p>${CANARY}</p>`,
    attachments: [
      makeAttachment(`${CANARY}.txt`, 'text/plain', Buffer.from(CANARY)),
      makeAttachment(`${CANARY}.exe`, CANARY, Buffer.from('MZ')),
    ],
  })
  const delivered = JSON.stringify({
    type: 'email.bounced',
    created_at: CANARY,
    data: { email_id: CANARY, bounce: { message: CANARY } },
  })
  for (const path of ['payments/platform', 'payments/connect']) {
    for (const body of [event, `{"${CANARY}`])
      await post(to(path), body, { ...json, 'payments-signature': paymentsHeader(body, SECRETS.payments) })
    await post(to(path), event, { ...json, 'payments-signature': `t=1,v1=${CANARY}` })
  }
  for (const path of ['email/inbound', 'email/email-events']) {
    for (const body of [mail, delivered, `{"${CANARY}`])
      await post(to(path), body, { ...json, ...emailHeaders(body, { secret: SECRETS.email, id: CANARY }) })
    await post(to(path), mail, {
      ...json,
      'msgsig-id': CANARY,
      'msgsig-timestamp': CANARY,
      'msgsig-signature': `v1,${CANARY}`,
    })
  }
  for (const path of ['sms/inbound-sms', 'sms/sms-status']) {
    for (const form of [
      {
        MessageSid: `${CANARY}${newId()}`,
        From: '+15125550143',
        To: number,
        Body: CANARY,
        MessageStatus: 'failed',
        ErrorMessage: CANARY,
      },
      { MessageSid: `${CANARY} ${CANARY}`, Body: CANARY },
    ]) {
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        'x-sms-signature': smsSignature(`${config.baseUrl}/api/webhooks/${path}`, form, SECRETS.sms),
      }
      await post(to(path), encodeForm(form), headers)
      await post(to(path), encodeForm(form), { ...headers, 'x-sms-signature': CANARY })
    }
  }
}
