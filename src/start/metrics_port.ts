import type { IncomingMessage, ServerResponse } from 'node:http'
import { programAnswer } from '../health/program_answer.ts'
import { jsonAnswer } from '../platform/errors/http_refusal.ts'
import type { Database } from '../platform/db/tenant.ts'

type Handler = (req: IncomingMessage, res: ServerResponse) => Promise<void>

/** Adds GET /health for programs to the metrics port, which only the operator's own network reaches. */
export const withHealth =
  (database: Database, metrics: Handler): Handler =>
  async (req, res) => {
    if (req.url?.split('?', 1)[0] !== '/health') return metrics(req, res)
    const {
      status,
      headers,
      body = '',
    } = req.method === 'GET' || req.method === 'HEAD'
      ? await healthAnswer(database)
      : jsonAnswer(405, { error: 'method_not_allowed' }, { Allow: 'GET, HEAD' })
    res.writeHead(status, { 'Content-Length': Buffer.byteLength(body), ...headers }).end(body)
  }

async function healthAnswer(database: Database) {
  const { status, body } = await programAnswer(database)
  return jsonAnswer(status, body, { 'Cache-Control': 'no-store' })
}
