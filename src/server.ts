import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Listening = { port: number; stop(graceMs?: number): Promise<void> }

/** Listens, and stops without dropping a request: sockets are told to close with their next answer, then those left are ended. */
export async function listen(handler: (req: IncomingMessage, res: ServerResponse) => Promise<void>, { host, port }: { host: string; port: number }): Promise<Listening> {
  let stopping = false
  const server = createServer({ keepAliveTimeout: 65_000, headersTimeout: 20_000, requestTimeout: 60_000 }, (req, res) => {
    if (stopping) res.setHeader('Connection', 'close')
    void handler(req, res)
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, () => resolve()))
  return {
    port: (server.address() as AddressInfo).port,
    stop: (graceMs = 10_000) => {
      stopping = true
      return closed(server, graceMs)
    },
  }
}

/** Keep-alive sockets get a moment in which a request on its way is still answered, before idle ones are ended. */
async function closed(server: Server, graceMs: number): Promise<void> {
  const settle = Math.min(graceMs, 500)
  await new Promise((resolve) => setTimeout(resolve, settle))
  const ended = new Promise((resolve) => server.close(resolve))
  server.closeIdleConnections()
  const late = setTimeout(() => server.closeAllConnections(), graceMs)
  await ended
  clearTimeout(late)
}
