import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export type Exchange = { status: number; headers: Record<string, string>; body: string }

/** Returns the headers that a tool client sends with a key. */
export const toolHeaders = (key: string): Record<string, string> => ({
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
})

/** Returns the body of a request. */
export const rpc = (method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })

/** Opens a connection that sends raw bytes and reads complete answers in sequence. */
export async function openSocket(origin: string) {
  const { port } = new URL(origin)
  const socket = connect(Number(port), '127.0.0.1')
  await once(socket, 'connect')
  let read = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    read = Buffer.concat([read, chunk])
  })
  socket.on('error', () => {})

  /** Sends a request line, headers and a body, exactly as passed. */
  async function exchange(line: string, headers: readonly string[], body = ''): Promise<Exchange> {
    socket.write([`${line} HTTP/1.1`, ...headers, `content-length: ${Buffer.byteLength(body)}`, '', body].join('\r\n'))
    for (;;) {
      const answer = answerIn(read)
      if (answer !== undefined) {
        read = read.subarray(answer.size)
        return answer
      }
      await oneOf(socket, 'data', 'close')
      if (socket.destroyed && answerIn(read) === undefined)
        throw new Error(`the connection closed after: ${read.toString()}`)
    }
  }
  return { exchange, close: () => socket.destroy() }
}

const oneOf = (socket: Socket, ...events: string[]): Promise<void> =>
  new Promise((resolve) => {
    const finish = (): void => {
      for (const event of events) socket.off(event, finish)
      resolve()
    }
    for (const event of events) socket.on(event, finish)
  })

/** Returns the first complete answer in the received bytes. */
function answerIn(read: Buffer): (Exchange & { size: number }) | undefined {
  const end = read.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [line = '', ...lines] = read.subarray(0, end).toString().split('\r\n')
  const headers = Object.fromEntries(
    lines.map((text) => [text.slice(0, text.indexOf(':')).toLowerCase(), text.slice(text.indexOf(':') + 1).trim()]),
  )
  const size = end + 4 + Number(headers['content-length'] ?? 0)
  return read.length < size
    ? undefined
    : { status: Number(line.split(' ')[1]), headers, body: read.subarray(end + 4, size).toString(), size }
}
