import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { SmsAccount } from '../../../src/platform/config/config.ts'

export type ReceivedSms = { sid: string; to: string; from: string; body: string; callback: string | null }

/** Answer to a request to send, before or after the provider posts statuses. Undefined accepts the message. */
export type SmsAnswer = { status: number; body: string } | 'hang' | 'reset' | undefined

/** Starts an SMS provider on loopback that checks the account and keeps accepted messages. */
export async function startSmsProvider(
  answer: (taken: ReceivedSms) => SmsAnswer | Promise<SmsAnswer> = () => undefined,
) {
  const taken: ReceivedSms[] = []
  const how = { answer }
  let serial = 0
  const server = createServer((req, res) => {
    const pieces: Buffer[] = []
    req.on('data', (piece: Buffer) => pieces.push(piece))
    req.on('end', () => {
      void (async () => {
        const respond = (status: number, body: object): unknown =>
          res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
        if (req.headers.authorization !== `Basic ${Buffer.from('AC1:secret').toString('base64')}`)
          return respond(401, { code: 20003, message: 'Authenticate', status: 401 })
        if (req.method === 'GET' && req.url === '/2010-04-01/Accounts/AC1.json')
          return respond(200, { sid: 'AC1', friendly_name: 'Alder' })
        if (req.method !== 'POST' || req.url !== '/2010-04-01/Accounts/AC1/Messages.json') return respond(404, {})
        const form = new URLSearchParams(Buffer.concat(pieces).toString())
        const one: ReceivedSms = {
          sid: `SM${String(++serial).padStart(32, '0')}`,
          to: form.get('To') ?? '',
          from: form.get('From') ?? '',
          body: form.get('Body') ?? '',
          callback: form.get('StatusCallback'),
        }
        const other = await how.answer(one)
        if (other === 'reset') return req.socket.destroy()
        if (typeof other === 'object')
          return res.writeHead(other.status, { 'content-type': 'application/json' }).end(other.body)
        taken.push(one)
        if (other === 'hang') return undefined
        return respond(201, { sid: one.sid, status: 'queued', num_segments: String(Math.ceil(one.body.length / 160)) })
      })()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const account: SmsAccount = {
    id: 'AC1',
    token: 'secret',
    apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  }
  return {
    account,
    taken,
    how,
    stop: async (): Promise<void> => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
