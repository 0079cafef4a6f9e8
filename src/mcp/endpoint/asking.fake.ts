import type { Endpoint } from './endpoint.fake.ts'

type PostOptions = { headers?: Record<string, string>; to?: Endpoint; method?: string }
export type EndpointAnswer = { status: number; type: string | null; body: unknown }

export const defaultHeaders = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
const prefix = 'io.modelcontextprotocol/'
export const meta = {
  [`${prefix}protocolVersion`]: '2026-07-28',
  [`${prefix}clientCapabilities`]: {},
  [`${prefix}clientInfo`]: { name: 'test-client', version: '1' },
}

export const rpc = (method: string, params?: object, id: unknown = 1): object => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params && { params }),
})
export const result = (value: unknown, id: unknown = 1): object => ({ jsonrpc: '2.0', id, result: value })

export const answerOf = (status: number, body: unknown): EndpointAnswer => ({
  status,
  type: body === null ? null : 'application/json',
  body,
})

/** Sends requests to an endpoint as plain HTTP clients of both eras. */
export function newEndpointClient(endpoint: () => Endpoint) {
  async function post(
    body: unknown,
    { headers = {}, to = endpoint(), method = 'POST' }: PostOptions = {},
  ): Promise<EndpointAnswer> {
    const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
    const response = await fetch(to.url, {
      method,
      headers: { ...defaultHeaders, ...headers },
      ...(method !== 'GET' && { body: text }),
    })
    const answered = await response.text()
    const json = answered === '' ? null : (JSON.parse(answered) as unknown)
    return { status: response.status, type: response.headers.get('content-type'), body: json }
  }

  /** Sends a 2026-07-28 request with the headers that mirror its body. */
  const stateless = (
    method: string,
    params: Record<string, unknown> = {},
    headers: Record<string, string> = {},
    extraMeta: object = {},
  ): Promise<EndpointAnswer> =>
    post(rpc(method, { ...params, _meta: { ...meta, ...extraMeta } }), {
      headers: {
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': method,
        ...(typeof (params.name ?? params.uri) === 'string' && { 'Mcp-Name': String(params.name ?? params.uri) }),
        ...headers,
      },
    })
  return { post, stateless }
}
