import { toolHeaders } from '../http.ts'

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

/** Result or error of a request. */
// oxlint-disable-next-line typescript/no-explicit-any
type Json = Record<string, any>
export type RpcResponse = { status: number; result?: Json; error?: { code: number; message: string; data?: Json } }

/** Sends single requests over HTTP, as plain clients of 2025-11-25 and of 2026-07-28 do. */
export function newProtocolClient(
  url: string,
  key: string,
  more: Record<string, string> = {},
  capabilities: object = {},
) {
  async function send(body: object, headers: Record<string, string>): Promise<RpcResponse> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...toolHeaders(key), ...headers, ...more },
      body: JSON.stringify(body),
    })
    return { status: response.status, ...((await response.json()) as Omit<RpcResponse, 'status'>) }
  }
  const handshake = (method: string, params: object = {}): Promise<RpcResponse> =>
    send({ jsonrpc: '2.0', id: 1, method, params }, { 'mcp-protocol-version': '2025-11-25' })
  const stateless = (method: string, params: Named = {}): Promise<RpcResponse> => {
    const name = params.name ?? params.uri
    return send(
      { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: { ...META, [CAPABILITIES]: capabilities } } },
      {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(name === undefined ? {} : { 'mcp-name': name }),
      },
    )
  }
  return { handshake, stateless, eras: { '2025-11-25': handshake, '2026-07-28': stateless } }
}

type Named = { name?: string; uri?: string; taskId?: string; [other: string]: unknown }

/** Client metadata in a request of 2026-07-28. */
export const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  [CAPABILITIES]: {},
  'io.modelcontextprotocol/clientInfo': { name: 'protocol-test', version: '1' },
}
