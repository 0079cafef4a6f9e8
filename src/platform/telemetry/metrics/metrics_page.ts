import type { IncomingMessage, ServerResponse } from 'node:http'

/** Answers GET /metrics only. If reading fails, the answer is a 503. */
export const metricsPage =
  (contentType: string, read: () => Promise<string>) =>
  async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    if (req.url?.split('?', 1)[0] !== '/metrics') plain(res, 404, 'Metrics are at /metrics\n')
    else if (req.method !== 'GET' && req.method !== 'HEAD') plain(res, 405, 'Use GET\n', { Allow: 'GET, HEAD' })
    else {
      const text = await read().catch(() => null)
      if (text === null) plain(res, 503, 'No process answered\n')
      else plain(res, 200, text, { 'Content-Type': contentType })
    }
  }

const plain = (res: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void => {
  res
    .writeHead(status, {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
      'Cache-Control': 'no-store',
      ...headers,
    })
    .end(text)
}
