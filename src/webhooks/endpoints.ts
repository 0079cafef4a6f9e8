import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { senderReader } from '../identity/addresses.ts'
import type { Config } from '../platform/config/config.ts'
import type { Database } from '../platform/db/tenant.ts'
import { newId } from '../platform/validation/id.ts'
import { newWebhookHandlers } from './handler.ts'
import { emailEventsEndpoint, emailSchemeOf } from './messages/email.ts'
import { inboundEmailEndpoint } from './messages/inbound_email.ts'
import { inboundSmsEndpoint } from './messages/inbound_sms.ts'
import { intakeOf, openGate } from './body/intake.ts'
import { openStatuses } from './messages/late_statuses.ts'
import { paymentsEndpoint } from './payments.ts'
import { smsSchemeOf, smsStatusEndpoint } from './messages/sms.ts'

export type Webhooks = ReturnType<typeof openWebhooks>

type Handler = (req: IncomingMessage, res: ServerResponse) => Promise<void>

/** Opens the webhook endpoints that providers call (docs/spec/webhooks.md#endpoints). */
export function openWebhooks(config: Config, database: Database, log: Logger) {
  const gate = openGate(database)
  const intake = intakeOf(gate)
  const [sms, email] = [smsSchemeOf(config), emailSchemeOf(config)]
  const receive = newWebhookHandlers(log, senderReader(config.trustedProxies))
  const storeStatus = openStatuses(intake, (error, state) =>
    log.error({ reference: newId(), state, err: error }, 'status not stored'),
  )
  return {
    paymentsPlatform: receive(paymentsEndpoint('platform', config.webhooks, intake)),
    paymentsConnect: receive(paymentsEndpoint('connect', config.webhooks, intake)),
    inboundSms: receive(inboundSmsEndpoint(sms, gate)),
    smsStatus: receive(smsStatusEndpoint(sms, storeStatus)),
    inboundEmail: receive(inboundEmailEndpoint(email, gate)),
    emailEvents: receive(emailEventsEndpoint(email, storeStatus)),
  } satisfies Record<string, Handler>
}
