import type { Config, MailServer } from '../../../platform/config/config.ts'
import { sql, type Db } from '../../../platform/db/tenant.ts'
import type { MailToSend, Sender, SmsToSend } from './sender.ts'
import { smsSender } from './sms_api.ts'
import { smtpSender } from './smtp.ts'

/** Configured senders; null for a channel without one. */
export type Senders = {
  email: { from: MailServer['from']; send: Sender<MailToSend> } | null
  /** `from` is the number for companies without their own. */
  sms: { from: string | null; send: Sender<SmsToSend> } | null
  /** Base URL at which people and providers reach the service. */
  baseUrl: string
}

export const createSenders = ({
  mailServer,
  smsAccount,
  smsFrom,
  baseUrl,
}: Pick<Config, 'mailServer' | 'smsAccount' | 'smsFrom' | 'baseUrl'>): Senders => ({
  email: mailServer && { from: mailServer.from, send: smtpSender(mailServer) },
  sms: smsAccount && { from: smsFrom, send: smsSender(smsAccount) },
  baseUrl,
})

/** Checks whether a company can send on a channel, so that pages can say so before a button is pressed. */
export const canSend = async (db: Db, senders: Senders, channel: 'email' | 'sms'): Promise<boolean> => {
  if (channel === 'email') return senders.email !== null
  if (senders.sms === null) return false
  if (senders.sms.from !== null) return true
  const own = await db.maybe(sql`select 1 from managed_numbers where tenant_id = ${db.tenant} limit 1`)
  return own !== undefined
}
