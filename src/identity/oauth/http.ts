import type { ServerResponse } from 'node:http'

/** Headers that let any page read public data. */
export const CORS_HEADERS = { 'Access-Control-Allow-Origin': '*' }

export function sendJson(
  res: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  const text = JSON.stringify(body)
  res
    .writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text), ...headers })
    .end(text)
}

/** Answers a preflight request from any page; no cookie is ever read at these URLs. */
export function sendPreflight(res: ServerResponse, methods: string): void {
  res
    .writeHead(204, {
      ...CORS_HEADERS,
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Allow-Headers': 'Authorization, Content-Type, MCP-Protocol-Version',
      'Access-Control-Max-Age': '3600',
    })
    .end()
}
