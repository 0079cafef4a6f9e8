import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { ClientConfig } from 'pg'

type Direction = 'questions' | 'answers'

export type UnreliableConnection = Awaited<ReturnType<typeof startUnreliableConnection>>

/** Opens a raw connection to a database. Its host is an address or a socket folder. */
export const connectRaw = ({ host = '', port = 5432 }: ClientConfig): Socket =>
  host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)

/**
 * Returns a connection to the test database that can stop responding, like a frozen server or a network that drops
 * packets: neither side gets an error.
 */
export async function startUnreliableConnection(login: ClientConfig) {
  const sockets = new Set<Socket>()
  const silent = new Set<Direction>()
  const kept: [Socket, Buffer][] = []
  const carry = (from: Socket, to: Socket, way: Direction): void => {
    sockets.add(from)
    from.on('data', (data: Buffer) => void (silent.has(way) ? kept.push([to, data]) : to.write(data)))
    from
      .on('error', () => {})
      .on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
  }
  const server = createServer((near) => {
    const far = connectRaw(login)
    carry(near, far, 'questions')
    carry(far, near, 'answers')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    login: { ...login, host: '127.0.0.1', port: (server.address() as AddressInfo).port } satisfies ClientConfig,
    /** Pauses one direction. Keeps the data. */
    silence: (...ways: Direction[]) => ways.forEach((way) => silent.add(way)),
    /** Resumes where it paused. */
    speak(): void {
      silent.clear()
      for (const [to, data] of kept.splice(0)) if (!to.destroyed) to.write(data)
    },
    stop(): void {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
