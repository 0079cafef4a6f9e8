import { ruleForAgents } from '../../../platform/errors/refusal.ts'
import { refusals } from '../refusals.ts'
import type { SmsAccount } from '../../../platform/config/config.ts'
import { toReplyText, type Handover, type Sender, type SmsToSend } from './sender.ts'

/** Sends SMS over the provider's REST API, authenticated with the account. */
export const smsSender =
  (account: SmsAccount): Sender<SmsToSend> =>
  async ({ from, to, text, callback }, signal) => {
    const form = new URLSearchParams({ To: to, From: from, Body: text, ...(callback && { StatusCallback: callback }) })
    try {
      const response = await fetch(urlOf(account, 'Messages.json'), {
        method: 'POST',
        body: form,
        headers: authHeaders(account),
        redirect: 'manual',
        signal,
      })
      return classifyResponse(response.status, await bodyOf(response))
    } catch (error) {
      return classifyError(error)
    }
  }

/** Returns the account's name; throws the provider's error message. */
export async function checkSmsAccount(account: SmsAccount, signal: AbortSignal): Promise<string> {
  const response = await fetch(urlOf(account), { headers: authHeaders(account), redirect: 'manual', signal })
  const body = await bodyOf(response)
  if (response.status !== 200) throw new Error(toReplyText(`${response.status} ${textOf(body['message'])}`))
  return textOf(body['friendly_name'])
}

const urlOf = ({ id, apiUrl }: SmsAccount, resource?: string): string =>
  `${apiUrl}/2010-04-01/Accounts/${encodeURIComponent(id)}${resource === undefined ? '.json' : `/${resource}`}`

const authHeaders = ({ id, token }: SmsAccount): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${id}:${token}`).toString('base64')}`,
})

const MAX_RESPONSE_LENGTH = 2 ** 16

/** Reads a response of bounded size; returns an empty object if it isn't a JSON object. */
async function bodyOf(response: Response): Promise<Record<string, unknown>> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const piece of response.body ?? [])
    if (text.length < MAX_RESPONSE_LENGTH) text += decoder.decode(piece, { stream: true })
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Provider's error code for a recipient who replied STOP. */
const STOPPED = 21610

/** Classifies a response. After a gateway error or without a message id, the provider may have the message. */
function classifyResponse(status: number, body: Record<string, unknown>): Handover {
  const { sid, status: state, num_segments: segments, code, message } = body
  if (status >= 200 && status < 300) {
    if (typeof sid !== 'string' || !/^[\x21-\x7e]{1,128}$/.test(sid))
      return { end: 'unknown', reply: ruleForAgents(refusals.answerWithoutId()) }
    const parts = Number(segments) > 1 ? `, ${Number(segments)} segments` : ''
    return { end: 'handed_over', providerId: sid, reply: toReplyText(`${textOf(state)}${parts}`) }
  }
  const reply = toReplyText(`${status} ${textOf(message)}${typeof code === 'number' ? ` (${code})` : ''}`)
  if (status === 502 || status === 504) return { end: 'unknown', reply }
  if (status === 400) return { end: 'refused', reply, isOptOut: code === STOPPED }
  return { end: 'later', reply }
}

/** Error codes of requests that were never sent. */
const UNSENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

function classifyError(error: unknown): Handover {
  const cause = (error as { cause?: { code?: string; message?: string } }).cause
  const reply = toReplyText(cause?.message ?? cause?.code ?? (error as Error).message)
  return { end: isUnsent(cause?.code ?? '') ? 'later' : 'unknown', reply }
}

const isUnsent = (code: string): boolean => UNSENT.has(code) || /CERT|^ERR_TLS/.test(code)
