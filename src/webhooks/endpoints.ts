import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Database } from '../db/tenant.ts'
import { newId } from '../shape/id.ts'
import { openWebhookDoor } from './door.ts'
import { emailEventsEndpoint, emailSchemeOf } from './email.ts'
import { openIntake } from './intake.ts'
import { paymentsEndpoint } from './payments.ts'
import { smsSchemeOf, smsStatusEndpoint } from './sms.ts'

export type Webhooks = ReturnType<typeof openWebhooks>

export type Handler = (req: IncomingMessage, res: ServerResponse) => Promise<void>

/** The addresses that providers call (interface 4.5). */
export function openWebhooks(config: Config, database: Database, log: Logger) {
  const intake = openIntake(database)
  const receive = openWebhookDoor(log)
  const report = (error: unknown): void => log.error({ reference: newId(), err: error }, 'status not stored')
  return {
    paymentsPlatform: receive(paymentsEndpoint('platform', config.webhooks, intake)),
    paymentsConnect: receive(paymentsEndpoint('connect', config.webhooks, intake)),
    smsStatus: receive(smsStatusEndpoint(smsSchemeOf(config), intake, report)),
    emailEvents: receive(emailEventsEndpoint(emailSchemeOf(config), intake, report)),
  } satisfies Record<string, Handler>
}
