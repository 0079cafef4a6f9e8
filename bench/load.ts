import autocannon from 'autocannon'

/** Result of a burst of load: requests per second, 99th percentile in milliseconds, answers, and failures. */
export type Load = { rate: number; p99: number; answers: number; failures: number }

/** A request to repeat: a tool call with a credential, or a page. `[<id>]` in a body becomes a new id each time. */
export type LoadRequest = { url: string; seconds: number; connections: number } & (
  | { credential: string; body: string }
  | { headers: Record<string, string> }
)

// Runs in a separate process, on keep-alive connections. Its argument is a LoadRequest.
const load = JSON.parse(process.argv[2]!) as LoadRequest
const { url, seconds: duration, connections } = load

const result = await autocannon({
  url,
  duration,
  connections,
  ...('body' in load
    ? {
        method: 'POST',
        body: load.body,
        idReplacement: load.body.includes('[<id>]'),
        headers: {
          authorization: `Bearer ${load.credential}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
      }
    : { method: 'GET', headers: load.headers }),
})
const summary: Load = {
  rate: result.requests.average,
  p99: result.latency.p99,
  answers: result['2xx'],
  failures: result.non2xx + result.errors,
}
process.stdout.write(JSON.stringify(summary))
