import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

const CONDITIONS = ['good', 'cut', 'slow', 'lossy', 'faulty'] as const

/** Network condition: `lossy` forwards a request and drops its answer, `faulty` answers 503 itself. */
type Condition = (typeof CONDITIONS)[number]

/** Opens a proxy between a browser and the service that is cut, slow, lossy or faulty in turns while it flaps. */
export async function openNetwork(servicePort: number) {
  let condition: Condition = 'good'
  let flapping: NodeJS.Timeout | undefined
  const tally = { faults: 0 }

  const server = createServer((incoming, answer) => void pass(incoming, answer).catch(() => answer.destroy()))
  server.keepAliveTimeout = 500
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  async function pass(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const now = condition
    if (now !== 'good' && now !== 'slow') tally.faults++
    if (now === 'cut') return void incoming.socket.destroy()
    if (now === 'faulty') return void answer.writeHead(503, { 'retry-after': '1' }).end()
    const body = await buffer(incoming)
    if (now === 'slow') await sleep(randomInt(2_000))
    const { status, headers, content } = await forwardRequest(incoming, body)
    if (now === 'lossy') return void incoming.socket.destroy()
    answer.writeHead(status, headers).end(content)
  }

  async function forwardRequest({ method, url, rawHeaders }: IncomingMessage, body: Buffer) {
    const onward = request({
      host: '127.0.0.1',
      port: servicePort,
      method,
      path: url,
      headers: rawHeaders,
      agent: false,
    })
    onward.end(body)
    const [answer] = (await once(onward, 'response')) as [IncomingMessage]
    return { status: answer.statusCode!, headers: answer.rawHeaders, content: await buffer(answer) }
  }

  function flap(): void {
    condition = CONDITIONS[randomInt(CONDITIONS.length)]!
    flapping = setTimeout(flap, randomInt(200, 3_000))
  }
  return {
    port: (server.address() as AddressInfo).port,
    tally,
    flap,
    restore: (): void => {
      clearTimeout(flapping)
      condition = 'good'
    },
    close: (): void => {
      clearTimeout(flapping)
      server.close()
      server.closeAllConnections()
    },
  }
}
