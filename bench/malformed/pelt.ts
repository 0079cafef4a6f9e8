import { Agent, request } from 'node:http'
import { seededRandom, freshGene, type Random, type Gene } from '../cost/genes.ts'
import type { Office } from '../cost/office.ts'
import type { Target } from '../cost/requests.ts'
import { MALFORMED } from './values.ts'
import { breakRequest, withMethod, type Wired } from './wire.ts'

/** A request that failed with 500 or more, or with a tool answer of `internal`. No input may cause that. */
export type Fault = { target: string; status: number; sent: string; answer: string }

/** `late` counts log lines about a busy or slow database, which any request can cause on a loaded machine. */
export type PeltResult = { sent: number; statuses: Record<string, number>; late: number; faults: Fault[] }

/** Status of a request that was cut off: it was answered before its end, or its headers were invalid. */
const CUT = 0
const CONCURRENCY = 16
const BATCH_SIZE = 500
const MAX_FAULTS = 40
const TIMEOUT_MS = 20_000
/** Characters of an answer and of a request to keep. */
const MAX_CHARACTERS = 2_000

/**
 * Sends `count` malformed requests: up to three fields have invalid values, and some requests are broken as a whole.
 * The same seed sends the same ones.
 */
export function pelt(
  office: Office,
  targets: readonly Target[],
  { seed, count }: { seed: number; count: number },
): Promise<PeltResult> {
  const random = seededRandom(seed)
  const targetFor = inTurn(targets)
  return sendInTurns(office, count, (at) => {
    const target = targetFor(at / count, at)
    return { target, wired: makeMalformed(random, target) }
  })
}

/** Sends each value, as JSON, in each field of the targets. */
export function peltEachField(
  office: Office,
  targets: readonly Target[],
  values: readonly string[],
): Promise<PeltResult> {
  const requests = targets.flatMap((target) =>
    target.fields.flatMap((field) =>
      values.map((unit) => {
        const gene: Gene = { field, shape: 'exact', unit, before: '', after: '', size: 0 }
        return { target, wired: withMethod(target.request([gene])) }
      }),
    ),
  )
  return sendInTurns(office, requests.length, (at) => requests[at]!)
}

/** Sends requests in batches, several at a time. After each batch, the worker runs the tasks that they caused. */
async function sendInTurns(
  office: Office,
  count: number,
  requestAt: (at: number) => { target: Target; wired: Wired },
): Promise<PeltResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY })
  const result: PeltResult = { sent: 0, statuses: {}, late: 0, faults: [] }
  while (result.sent < count) {
    await office.refresh()
    const some = Math.min(BATCH_SIZE, count - result.sent)
    const requests = Array.from({ length: some }, (_, i) => requestAt(result.sent + i))
    const waiting = requests.values()
    const sender = async (): Promise<void> => {
      for (const { target, wired } of waiting) {
        const { status, answer } = await sendRequest(office, agent, wired)
        result.statuses[status] = (result.statuses[status] ?? 0) + 1
        if (isFault(status, answer) && result.faults.length < MAX_FAULTS)
          result.faults.push({ target: target.name, status, sent: describeRequest(wired), answer })
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, sender))
    await office.work()
    const lines = office.faults()
    const faults = lines.filter((line) => !LATE.test(line))
    result.late += lines.length - faults.length
    result.faults.push(...faults.map((line) => faultOf(line, requests.length)))
    result.sent += some
  }
  agent.destroy()
  return result
}

/** Matches requests that end what the others need: a record, a session, an offer. */
const ENDING =
  /\/(?:do\/\w+_(?:archive|cancel|delete|end|merge|void)|bulk|merge|erase|undo|back|remove|take-back|accept|decline|sign-out|sign-ins|password|you)(?:,|$)/

/** Returns the targets in turn. Those that end something come in the last tenth of the run. */
function inTurn(targets: readonly Target[]): (share: number, turn: number) => Target {
  const { ending = [], lasting = ending } = Object.groupBy(targets, ({ name }) =>
    ENDING.test(name) ? 'ending' : 'lasting',
  )
  return (share, turn) => {
    const now = share < 0.9 || ending.length === 0 ? lasting : ending
    return now[turn % now.length]!
  }
}

/** Returns a malformed request to a target. */
function makeMalformed(random: Random, target: Target): Wired {
  const genes = Array.from({ length: 1 + Math.floor(random.next() * 3) }, (): Gene =>
    random.next() < 0.9
      ? {
          field: random.of(target.fields),
          shape: 'exact',
          unit: unitFor(random, target),
          before: '',
          after: '',
          size: 0,
        }
      : freshGene(random, target.fields, Math.min(target.maxBytes, 20_000)),
  )
  const sent = target.request(genes)
  return random.next() < 0.3 ? breakRequest(random, sent) : withMethod(sent)
}

/** Matches a line of the log about a database that didn't answer in time. */
const LATE = /"err":\{"type":"Unavailable"/

/** Returns a fault from a log line. A provider or an OAuth client doesn't see it, because it is asked to retry. */
const faultOf = (line: string, among: number): Fault => ({
  target: `one of ${among}`,
  status: 0,
  sent: '',
  answer: line.slice(0, MAX_CHARACTERS),
})

const unitFor = (random: Random, { misplaced = [] }: Target): string =>
  random.of(misplaced.length > 0 && random.next() < 0.25 ? misplaced : MALFORMED)

/** Checks whether an answer is a fault. A 503 with Retry-After is not. */
const isFault = (status: number, answer: string): boolean =>
  (status >= 500 && !(status === 503 && answer.startsWith('retry-after'))) ||
  answer.includes('"text":"internal: ') ||
  answer.includes('"code":-32603')

const sendRequest = (
  { service }: Office,
  agent: Agent,
  { path, method, headers, body }: Wired,
): Promise<{ status: number; answer: string }> =>
  new Promise((resolve) => {
    let [status, answer] = [CUT, '']
    const finish = (): void => resolve({ status, answer })
    try {
      const sending = request({
        ...address(service.config.baseUrl),
        agent,
        method,
        path,
        headers: { ...headers, 'content-length': body.length },
      })
      // A stream ends only when its reader closes it.
      const timeout = setTimeout(() => sending.destroy(), TIMEOUT_MS)
      sending
        .on('response', (response) => {
          status = response.statusCode ?? CUT
          if (response.headers['retry-after'] !== undefined) answer = `retry-after ${response.headers['retry-after']} `
          if (response.headers['content-type']?.startsWith('text/event-stream') === true && method === 'GET')
            sending.destroy()
          response
            .on('data', (piece: Buffer) => {
              if (answer.length < MAX_CHARACTERS) answer += piece.toString('latin1', 0, MAX_CHARACTERS)
            })
            .on('error', finish)
            .on('end', finish)
        })
        .on('error', finish)
        .on('close', () => {
          clearTimeout(timeout)
          finish()
        })
        .end(body)
    } catch {
      // Some addresses and headers can't be sent by this client at all.
      finish()
    }
  })

const address = (url: string): { hostname: string; port: string } => {
  const { hostname, port } = new URL(url)
  return { hostname, port }
}

const describeRequest = ({ method, path, headers, body }: Wired): string =>
  `${method} ${path.slice(0, MAX_CHARACTERS)} ${JSON.stringify({ ...headers, authorization: undefined, cookie: undefined })} ${JSON.stringify(body.toString('latin1').slice(0, MAX_CHARACTERS))}`
