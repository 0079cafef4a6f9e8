import { createHmac, randomUUID } from 'node:crypto'
import autocannon from 'autocannon'
import type { Load } from './load.ts'

/** Sends payments events, each new and signed. Run in a process of its own: argv is {url, secret, seconds, connections}. */
const { url, secret, seconds, connections } = JSON.parse(process.argv[2]!) as {
  url: string
  secret: string
  seconds: number
  connections: number
}

/** Takes about 2 kB, as a charge of the payments provider is. */
const object = {
  id: 'ch_1',
  object: 'charge',
  amount: 4_000,
  currency: 'usd',
  metadata: { invoice_id: randomUUID() },
  details: Array.from({ length: 40 }, (_, i) => ({ [`field_${i}`]: 'some value' })),
}
const rest = JSON.stringify({ type: 'charge.succeeded', account: 'acct_1', livemode: false, data: { object } }).slice(1)

function makeSignedEvent(): { body: string; headers: Record<string, string> } {
  const body = `{"id":"evt_${randomUUID()}",${rest}`
  const t = Math.floor(Date.now() / 1000)
  const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
  return { body, headers: { 'content-type': 'application/json', 'payments-signature': `t=${t},v1=${v1}` } }
}

const result = await autocannon({
  url,
  duration: seconds,
  connections,
  requests: [{ method: 'POST', setupRequest: (request) => ({ ...request, ...makeSignedEvent() }) }],
})
const load: Load = {
  rate: result.requests.average,
  p99: result.latency.p99,
  answers: result['2xx'],
  failures: result.non2xx + result.errors,
}
process.stdout.write(JSON.stringify(load))
