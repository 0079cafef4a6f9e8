import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Starts a loopback proxy that adds the API key, because the conformance suite has no option for it. A foreign Host or
 * Origin passes unchanged.
 */
export async function startProxy(target: string, key: string): Promise<{ url: string; stop(): Promise<void> }> {
  const to = new URL(target)
  const server = createServer((req, res) => {
    const own = (server.address() as AddressInfo).port
    const isOwn = (value: string | undefined): boolean =>
      value !== undefined && new RegExp(`^(http://)?(127\\.0\\.0\\.1|localhost):${own}$`).test(value)
    const headers = { ...req.headers, authorization: `Bearer ${key}` }
    if (isOwn(headers.host)) headers.host = to.host
    if (isOwn(headers.origin)) delete headers.origin
    const onward = request(
      { host: to.hostname, port: to.port, path: to.pathname, method: req.method, headers },
      (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(res)
      },
    )
    onward.on('error', () => res.destroy())
    req.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/mcp`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
