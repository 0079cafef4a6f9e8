import { Agent, request } from 'node:http'
import { chanceFrom, freshGene, type Chance, type Gene } from '../cost/genes.ts'
import type { Office } from '../cost/office.ts'
import type { Target } from '../cost/requests.ts'
import { MALFORMED } from './values.ts'
import { broken, withMethod, type Wired } from './wire.ts'

/** A request that failed with 500 or more, or with a tool answer of `internal`. No input may cause that. */
export type Fault = { target: string; status: number; sent: string; answer: string }

/** `late` counts what was logged of a database that was busy or slow, which a loaded machine does to any request. */
export type Pelted = { sent: number; statuses: Record<string, number>; late: number; faults: Fault[] }

/** A request that is answered before its end, or whose headers are none, may be cut off. */
const CUT = 0
const AT_ONCE = 16
const REFRESHED_AFTER = 500
const MOST_FAULTS = 40
const PATIENCE_MS = 20_000
/** Characters of an answer and of a request to keep. */
const SHOWN = 2_000

/**
 * Sends `count` malformed requests: up to three fields with values that are none, and now and then broken as a whole.
 * The same seed sends the same ones.
 */
export function pelt(
  office: Office,
  targets: readonly Target[],
  { seed, count }: { seed: number; count: number },
): Promise<Pelted> {
  const chance = chanceFrom(seed)
  const targetFor = inTurn(targets)
  return sendInTurns(office, count, (at) => {
    const target = targetFor(at / count, at)
    return { target, wired: makeMalformed(chance, target) }
  })
}

/** Sends each value, as JSON, in each field of the targets. */
export function peltEachField(office: Office, targets: readonly Target[], values: readonly string[]): Promise<Pelted> {
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

/** Sends so many requests, many at once. After each turn the worker does what they led to. */
async function sendInTurns(
  office: Office,
  count: number,
  requestAt: (at: number) => { target: Target; wired: Wired },
): Promise<Pelted> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  const told: Pelted = { sent: 0, statuses: {}, late: 0, faults: [] }
  while (told.sent < count) {
    await office.refresh()
    const some = Math.min(REFRESHED_AFTER, count - told.sent)
    const requests = Array.from({ length: some }, (_, i) => requestAt(told.sent + i))
    const waiting = requests.values()
    const sender = async (): Promise<void> => {
      for (const { target, wired } of waiting) {
        const { status, answer } = await sendRequest(office, agent, wired)
        told.statuses[status] = (told.statuses[status] ?? 0) + 1
        if (isFault(status, answer) && told.faults.length < MOST_FAULTS)
          told.faults.push({ target: target.name, status, sent: describeRequest(wired), answer })
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, sender))
    await office.work()
    const lines = office.faults()
    const faults = lines.filter((line) => !LATE.test(line))
    told.late += lines.length - faults.length
    told.faults.push(...faults.map((line) => faultOf(line, requests.length)))
    told.sent += some
  }
  agent.destroy()
  return told
}

/** Matches what takes away what the others need: a record, a session, an offer. */
const ENDING =
  /\/(?:do\/\w+_(?:archive|cancel|delete|end|merge|void)|bulk|merge|erase|undo|back|remove|take-back|accept|decline|sign-out|sign-ins|password|you)(?:,|$)/

/** Returns the targets one after the other: those that end something come last, for a tenth of the time. */
function inTurn(targets: readonly Target[]): (share: number, turn: number) => Target {
  const { ending = [], lasting = ending } = Object.groupBy(targets, ({ name }) =>
    ENDING.test(name) ? 'ending' : 'lasting',
  )
  return (share, turn) => {
    const now = share < 0.9 || ending.length === 0 ? lasting : ending
    return now[turn % now.length]!
  }
}

/** Makes a request of a target that is wrong somewhere. */
function makeMalformed(chance: Chance, target: Target): Wired {
  const genes = Array.from({ length: 1 + Math.floor(chance.next() * 3) }, (): Gene =>
    chance.next() < 0.9
      ? {
          field: chance.of(target.fields),
          shape: 'exact',
          unit: unitFor(chance, target),
          before: '',
          after: '',
          size: 0,
        }
      : freshGene(chance, target.fields, Math.min(target.most, 20_000)),
  )
  const sent = target.request(genes)
  return chance.next() < 0.3 ? broken(chance, sent) : withMethod(sent)
}

/** Matches a line of the log about a database that didn't answer in time. */
const LATE = /"err":\{"type":"Unavailable"/

/** Returns a fault that was logged. It can be hidden from a provider or an OAuth client, which gets a retry answer. */
const faultOf = (line: string, among: number): Fault => ({
  target: `one of ${among}`,
  status: 0,
  sent: '',
  answer: line.slice(0, SHOWN),
})

const unitFor = (chance: Chance, { misplaced = [] }: Target): string =>
  chance.of(misplaced.length > 0 && chance.next() < 0.25 ? misplaced : MALFORMED)

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
      // A stream goes on until its reader goes.
      const patience = setTimeout(() => sending.destroy(), PATIENCE_MS)
      sending
        .on('response', (got) => {
          status = got.statusCode ?? CUT
          if (got.headers['retry-after'] !== undefined) answer = `retry-after ${got.headers['retry-after']} `
          if (got.headers['content-type']?.startsWith('text/event-stream') === true && method === 'GET')
            sending.destroy()
          got
            .on('data', (piece: Buffer) => {
              if (answer.length < SHOWN) answer += piece.toString('latin1', 0, SHOWN)
            })
            .on('error', finish)
            .on('end', finish)
        })
        .on('error', finish)
        .on('close', () => {
          clearTimeout(patience)
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
  `${method} ${path.slice(0, SHOWN)} ${JSON.stringify({ ...headers, authorization: undefined, cookie: undefined })} ${JSON.stringify(body.toString('latin1').slice(0, SHOWN))}`
