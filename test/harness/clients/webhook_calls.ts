import { createHmac } from 'node:crypto'
import { request } from 'node:http'
import { Stripe } from 'stripe'
import twilio from 'twilio'
import type { TestService } from '../harness.ts'

export const PLATFORM_SECRET = 'whsec_platform_test_secret_0123456789'
export const CONNECT_SECRET = 'whsec_connect_test_secret_0123456789'
export const SMS_SECRET = 'sms0token0for0tests0123456789abcd'
export const EMAIL_SECRET = `whsec_${Buffer.from('email secret for tests, 32 bytes').toString('base64')}`

/** Sets up a deployment in test mode with every secret. */
export const WEBHOOK_ENV = {
  PAYMENTS_SECRET_KEY: 'sk_test_key',
  PAYMENTS_WEBHOOK_SECRET_PLATFORM_TEST: PLATFORM_SECRET,
  PAYMENTS_WEBHOOK_SECRET_CONNECT_TEST: CONNECT_SECRET,
  SMS_WEBHOOK_SECRET: SMS_SECRET,
  EMAIL_WEBHOOK_SECRET: EMAIL_SECRET,
}

export type Answered = { status: number; text: string; headers: Headers }

const stripe = new Stripe('sk_test_not_used')

export const nowSeconds = (): number => Math.floor(Date.now() / 1000)

/** Returns the provider's signature header for a payload. */
export const paymentsHeader = (payload: string, secret = CONNECT_SECRET, timestamp = nowSeconds()): string =>
  stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })

export const hmac = (algorithm: 'sha256' | 'sha1', key: string | Buffer, ...parts: (string | Buffer)[]) => {
  const made = createHmac(algorithm, key)
  for (const part of parts) made.update(part)
  return made
}

/** Returns the provider's headers for a payload. Its own package hashes in JavaScript, which is slow for large mail. */
export function emailHeaders(
  payload: string,
  { secret = EMAIL_SECRET, id = 'msg_1', at = new Date() } = {},
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = hmac('sha256', key, `${id}.${timestamp}.`, payload).digest('base64')
  return { 'msgsig-id': id, 'msgsig-timestamp': timestamp, 'msgsig-signature': `v1,${signature}` }
}

/** Returns the provider's signature for a form that it posts to a URL. */
export const smsSignature = (url: string, form: Record<string, string | string[]>, secret = SMS_SECRET): string =>
  twilio.getExpectedTwilioSignature(secret, url, form)

export const encodeForm = (form: Record<string, string | string[]>): string =>
  new URLSearchParams(
    Object.entries(form).flatMap(([name, value]) => [value].flat().map((one) => [name, one])),
  ).toString()

export async function post(url: string, body: string | Buffer, headers: Record<string, string>): Promise<Answered> {
  const response = await fetch(url, {
    method: 'POST',
    body: typeof body === 'string' ? Buffer.from(body) : new Uint8Array(body),
    headers,
  })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

/** Sends webhooks to a service as the providers do. */
export function providerOf({ origin, config }: Pick<TestService, 'origin' | 'config'>) {
  const payments = (endpoint: 'platform' | 'connect', body: string | Buffer, header?: string): Promise<Answered> =>
    post(`${origin}/api/webhooks/payments/${endpoint}`, body, {
      'content-type': 'application/json',
      'payments-signature':
        header ?? paymentsHeader(body.toString(), endpoint === 'platform' ? PLATFORM_SECRET : CONNECT_SECRET),
    })
  const event = (event: object, endpoint: 'platform' | 'connect' = 'connect') =>
    payments(endpoint, JSON.stringify(event))
  const sms = (path: string, form: Record<string, string | string[]>, signature?: string): Promise<Answered> =>
    post(origin + path, encodeForm(form), {
      'content-type': 'application/x-www-form-urlencoded',
      'x-sms-signature': signature ?? smsSignature(config.baseUrl + path, form),
    })
  const email = (path: string, body: object | string, headers?: Record<string, string>): Promise<Answered> => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return post(origin + path, text, { 'content-type': 'application/json', ...(headers ?? emailHeaders(text)) })
  }
  return {
    payments,
    event,
    sms,
    email,
    smsStatus: (form: Record<string, string>) => sms('/api/webhooks/sms/sms-status', form),
    emailEvent: (body: object) => email('/api/webhooks/email/email-events', body),
  }
}

/** Opens a handwritten request. `send` writes the body piece by piece. */
export function rawRequest(
  url: string,
  headers: Record<string, string>,
  send: (write: (chunk: Buffer) => void, end: () => void) => void,
  method = 'POST',
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const req = request(url, { method, headers }, (res) => {
      const chunks: Buffer[] = []
      res.on('data', (chunk: Buffer) => chunks.push(chunk))
      res.on('end', () =>
        resolve({
          status: res.statusCode!,
          text: Buffer.concat(chunks).toString(),
          headers: new Headers(res.headers as Record<string, string>),
        }),
      )
    })
    req.on('error', reject)
    send(
      (chunk) => void req.write(chunk),
      () => void req.end(),
    )
  })
}
