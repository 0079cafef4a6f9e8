import type { Config } from '../../platform/config/config.ts'
import type { HttpAnswer } from '../../platform/errors/http_refusal.ts'
import { EMPTY } from '../answer.ts'
import type { Endpoint } from '../handler.ts'
import type { StoreStatus } from './late_statuses.ts'
import { onlyValue, readForm } from '../signatures/form.ts'
import { publicUrls } from '../signatures/public_urls.ts'
import type { SignatureScheme } from '../signatures/signature.ts'
import { smsScheme } from '../signatures/sms.ts'
import { isId } from '../../platform/validation/id.ts'
import type { OwnMessage, StatusChange } from '../../messaging/outbox/delivery_status.ts'

/** Settings that all endpoints of the SMS provider share. */
export const smsDefaults = {
  contentType: 'application/x-www-form-urlencoded',
  maxBytes: 64 * 2 ** 10,
  deadlineMs: 10_000,
  unsigned: { status: 401 },
  failed: { status: 500 },
} as const satisfies Partial<Endpoint>

export const smsSchemeOf = ({ baseUrl, trustedProxies, webhooks }: Config): SignatureScheme =>
  smsScheme(webhooks.sms, webhooks.strictSignatures, publicUrls(baseUrl, trustedProxies))

/**
 * Returns the endpoint for the SMS provider's statuses (docs/spec/webhooks.md#sms-status). Answers a signed status with
 * 200 even if it can't be stored.
 */
export function smsStatusEndpoint(scheme: SignatureScheme, storeStatus: StoreStatus): Endpoint {
  async function handle(body: Buffer, query: string): Promise<HttpAnswer> {
    const form = readForm(body)
    const status = STATUSES.get(onlyValue(form, 'MessageStatus') ?? '')
    if (status === undefined) return EMPTY
    const code = onlyValue(form, 'ErrorCode')
    const suppresses = code === STOPPED ? ('stopped' as const) : undefined
    const change = { status, message: onlyValue(form, 'ErrorMessage'), code, suppresses, own: ownMessage(query) }
    await storeStatus('sms', onlyValue(form, 'MessageSid'), change)
    return EMPTY
  }
  return { ...smsDefaults, name: 'sms/sms-status', scheme, handle }
}

/** Provider's error code for a recipient who replied STOP. */
const STOPPED = '21610'

/** Parses our message id from the callback URL we gave the provider: `message=<tenant>.<id>`. */
function ownMessage(query: string): OwnMessage | undefined {
  const [tenant = '', message = ''] = /(?:^|&)message=([0-9a-f.-]{73})(?:&|$)/.exec(query)?.[1]?.split('.') ?? []
  return isId(tenant) && isId(message) ? { tenant, message } : undefined
}

/** Our statuses by the provider's. Others are ignored. */
const STATUSES: ReadonlyMap<string, StatusChange['status']> = new Map<string, StatusChange['status']>([
  ['accepted', 'queued'],
  ['scheduled', 'queued'],
  ['queued', 'queued'],
  ['sending', 'sending'],
  ['sent', 'sending'],
  ['delivered', 'delivered'],
  ['undelivered', 'failed'],
  ['failed', 'failed'],
])
