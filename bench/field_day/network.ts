import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

const MOODS = ['good', 'cut', 'slow', 'lossy', 'faulty'] as const

/** Network condition: `lossy` forwards a request and drops its answer, `faulty` answers 503 itself. */
type Mood = (typeof MOODS)[number]

/** Opens a proxy between a browser and the service that is cut, slow, lossy or faulty in turns while it flaps. */
export async function openNetwork(servicePort: number) {
  let mood: Mood = 'good'
  let flapping: NodeJS.Timeout | undefined
  const tally = { faults: 0 }

  const server = createServer((asked, answer) => void pass(asked, answer).catch(() => answer.destroy()))
  server.keepAliveTimeout = 500
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  async function pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const now = mood
    if (now !== 'good' && now !== 'slow') tally.faults++
    if (now === 'cut') return void asked.socket.destroy()
    if (now === 'faulty') return void answer.writeHead(503, { 'retry-after': '1' }).end()
    const body = await buffer(asked)
    if (now === 'slow') await sleep(randomInt(2_000))
    const { status, headers, content } = await forwardRequest(asked, body)
    if (now === 'lossy') return void asked.socket.destroy()
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
    mood = MOODS[randomInt(MOODS.length)]!
    flapping = setTimeout(flap, randomInt(200, 3_000))
  }
  return {
    port: (server.address() as AddressInfo).port,
    tally,
    flap,
    mend: (): void => {
      clearTimeout(flapping)
      mood = 'good'
    },
    close: (): void => {
      clearTimeout(flapping)
      server.close()
      server.closeAllConnections()
    },
  }
}
