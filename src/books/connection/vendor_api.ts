import type { HttpMethod } from '../../identity/public_request.ts'
import { readJson, toFields, type JsonFields } from '../../platform/validation/json_fields.ts'
import { BooksError } from '../books_error.ts'
import type { TokenSource } from './tokens.ts'
import type { Vendor } from './vendor.ts'

type VendorRequest = {
  query?: Readonly<Record<string, string>>
  body?: JsonFields
  headers?: Readonly<Record<string, string>>
}

/** Sends a request with a company's access token and returns the fields of the response. Throws `BooksError`. */
export type VendorApi = (method: HttpMethod, path: string, request?: VendorRequest) => Promise<JsonFields>

/** Default and maximum seconds to wait for a program that asks to. */
const [DEFAULT_WAIT, MAX_WAIT] = [60, 86_400]

/** Opens a program's API; `problemOf` returns the error message of a response. */
export function openVendorApi(
  vendor: Vendor,
  tenant: string,
  tokens: TokenSource,
  problemOf: (answer: JsonFields) => string | null,
): VendorApi {
  const send = vendor.fetchFor(tenant)

  async function sendRequest(
    method: HttpMethod,
    path: string,
    request: VendorRequest,
    access: string,
  ): Promise<Response> {
    const url = new URL(path, vendor.app.apiUrl)
    for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value)
    const headers = {
      ...request.headers,
      accept: 'application/json',
      authorization: `Bearer ${access}`,
      ...(request.body !== undefined && { 'content-type': 'application/json' }),
    }
    const body = request.body === undefined ? {} : { body: JSON.stringify(request.body) }
    return send(url.href, { method, headers, ...body }).catch((cause: unknown) => {
      throw new BooksError('later', { cause })
    })
  }

  return async (method, path, request = {}) => {
    let token = await tokens.current()
    let response = await sendRequest(method, path, request, token.access)
    if (response.status === 401) {
      token = await tokens.renew(token.version)
      response = await sendRequest(method, path, request, token.access)
    }
    if (response.status === 401 || response.status === 403) await tokens.end(token.version)
    return readAnswer(response, problemOf)
  }
}

async function readAnswer(response: Response, problemOf: (answer: JsonFields) => string | null): Promise<JsonFields> {
  const { status, headers } = response
  const answer = toFields(readJson(await response.text()))
  if (status === 401 || status === 403) throw new BooksError('revoked', { detail: problemOf(answer) })
  if (status === 429 || status >= 500 || (status >= 300 && status < 400))
    throw new BooksError('later', {
      seconds: waitOf(headers.get('retry-after'), status),
      detail: `It answered ${status}.`,
      isBroken: status >= 500,
    })
  const problem = problemOf(answer)
  if (!response.ok || problem !== null)
    throw new BooksError('refused', { detail: problem ?? `It answered ${status}.`, isMissing: status === 404 })
  return answer
}

/** Reads a `Retry-After` header in seconds; programs send no dates. */
function waitOf(text: string | null, status: number): number | null {
  if (text !== null && /^\d{1,6}$/.test(text)) return Math.min(Math.max(Number(text), 1), MAX_WAIT)
  return status === 429 ? DEFAULT_WAIT : null
}
