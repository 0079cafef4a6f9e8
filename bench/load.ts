import autocannon from 'autocannon'

/** Says what a burst of load saw: requests a second, 99th percentile in milliseconds, answers, answers other than 200. */
export type Load = { rate: number; p99: number; answers: number; failures: number }

/** Sends one request over and over on keep-alive connections. `[<id>]` in the body is another id in each request. Run in a process of its own: argv is {url, credential, body, seconds, connections}. */
const { url, credential, body, seconds, connections } = JSON.parse(process.argv[2]!) as {
  url: string
  credential: string
  body: string
  seconds: number
  connections: number
}

const result = await autocannon({
  url,
  method: 'POST',
  body,
  idReplacement: body.includes('[<id>]'),
  duration: seconds,
  connections,
  headers: {
    authorization: `Bearer ${credential}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  },
})
const load: Load = {
  rate: result.requests.average,
  p99: result.latency.p99,
  answers: result['2xx'],
  failures: result.non2xx + result.errors,
}
process.stdout.write(JSON.stringify(load))
