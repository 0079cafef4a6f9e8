import { Agent, request } from 'node:http'
import { seededRandom, freshGene, mutateGene, type Gene } from './genes.ts'
import { watchLoop } from './loop.ts'
import type { Office } from './office.ts'
import { methodOf, type Sent, type Target } from './requests.ts'

/** A request and its cost: CPU time of the event loop's thread, in milliseconds. */
export type CostSample = {
  target: Target
  genes: readonly Gene[]
  bytes: number
  status: number
  /** True for a status of 500 or more, except a 503 with Retry-After, and for a tool answer of `internal`. */
  isFault: boolean
  ms: number
  /** Longest time that the event loop was held. */
  stretch: number
}

const MAX_MS = 250
const MAX_STRETCH_MS = 50
const MS_PER_100_KB = 50

/** Returns what a request of so many bytes may cost on an idle machine. */
export const maxCostOf = (bytes: number): number => Math.min(MAX_MS, MS_PER_100_KB * Math.max(1, bytes / 100_000))

/** Returns the cost relative to its limit, by longest stretch or in total, whichever is higher. 1 is the limit. */
export const costRatio = ({
  target,
  ms,
  stretch,
  bytes,
}: Pick<CostSample, 'target' | 'ms' | 'stretch' | 'bytes'>): number =>
  Math.max(
    stretch / MAX_STRETCH_MS,
    target.isBackground === true ? 0 : ms / (target.isLarge === true ? MAX_MS : maxCostOf(bytes)),
  )

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const POOL = 40
/** Status of a request whose connection is cut: the server may answer before the sender has finished. */
const CUT = 0
/** Bytes of an answer to inspect: a tool's own fault appears at its beginning. */
const BEGINNING = 400

/** Cost up to which a request's stretch isn't measured, because it can't be longer. */
const CHEAP_MS = MAX_STRETCH_MS / 2

/**
 * Sends a request with the genes once, and a costly one again to measure its longest stretch. The times include the
 * client's own work, so they are never less than the service's.
 */
export async function measureCost(office: Office, target: Target, genes: readonly Gene[]): Promise<CostSample> {
  await target.prepare?.()
  const sent = target.request(genes)
  const before = process.threadCpuUsage()
  const answer = await sendRequest(office, sent)
  await target.waitForWork?.()
  const { user, system } = process.threadCpuUsage(before)
  const ms = (user + system) / 1_000
  const stretch = ms <= CHEAP_MS ? ms : Math.min(ms, await stretchOf(office, target, genes))
  return { target, genes, bytes: sent.body.length + sent.path.length, ...answer, ms, stretch }
}

async function stretchOf(office: Office, target: Target, genes: readonly Gene[]): Promise<number> {
  await target.prepare?.()
  const sent = target.request(genes)
  const longest = watchLoop()
  await sendRequest(office, sent)
  await target.waitForWork?.()
  return longest()
}

function sendRequest({ service }: Office, sent: Sent): Promise<Pick<CostSample, 'status' | 'isFault'>> {
  const { path, headers, body } = sent
  return new Promise((resolve) => {
    let begins = ''
    let isBusy = false
    const finish = (status = CUT): void =>
      resolve({ status, isFault: (status >= 500 && !isBusy) || begins.includes('"text":"internal: ') })
    const sending = request(
      new URL(path, service.config.baseUrl),
      {
        agent,
        method: methodOf(sent),
        headers: { ...headers, ...(methodOf(sent) === 'GET' ? {} : { 'content-length': body.length }) },
      },
      (answer) => {
        isBusy = answer.statusCode === 503 && answer.headers['retry-after'] !== undefined
        // A stream of events doesn't end: its beginning is its answer.
        if (answer.headers['content-type']?.startsWith('text/event-stream') === true) {
          finish(answer.statusCode)
          return void answer.destroy()
        }
        answer
          .on('data', (piece: Buffer) => {
            if (begins.length < BEGINNING) begins += piece.toString('latin1', 0, BEGINNING)
          })
          .on('error', () => finish())
          .on('end', () => finish(answer.statusCode))
      },
    )
    sending.on('error', () => finish()).end(body)
  })
}

/** Returns the lowest of several measurements, which leaves out the machine's other work and garbage collection. */
export async function bestOf(
  times: number,
  office: Office,
  { target, genes }: Pick<CostSample, 'target' | 'genes'>,
): Promise<CostSample> {
  let best = await measureCost(office, target, genes)
  for (let i = 1; i < times; i++) {
    const again = await measureCost(office, target, genes)
    const cheaper = again.ms < best.ms ? again : best
    best = { ...cheaper, stretch: Math.min(best.stretch, again.stretch) }
  }
  return best
}

/** Share of the limit above which a single measurement is confirmed by others at once. */
const CONFIRM_ABOVE = 0.5

/** Measures again, as long as the answer is the same: what is written once may be refused the second time. */
async function lowestOf(office: Office, once: CostSample): Promise<CostSample> {
  const again = await bestOf(2, office, once)
  return again.status === once.status && costRatio(again) < costRatio(once) ? again : once
}

/** Sends one unchanged request to each target, in order. Returns the samples, costliest first, and the faults. */
export async function sweep(
  office: Office,
  targets: readonly Target[],
): Promise<{ costliest: CostSample[]; faults: CostSample[] }> {
  const all: CostSample[] = []
  for (const target of targets) {
    await office.refresh()
    const once = await measureCost(office, target, [])
    all.push(costRatio(once) < CONFIRM_ABOVE ? once : await lowestOf(office, once))
  }
  return {
    costliest: all.toSorted((a, b) => costRatio(b) - costRatio(a)),
    faults: all.filter(({ isFault }) => isFault),
  }
}

/**
 * Searches for the most expensive requests while `shouldContinue`: tries each target afresh, and grows the most expensive ones.
 * Returns one per target, most expensive first, with the number of answers per status, and the faults.
 */
export async function search(
  office: Office,
  targets: readonly Target[],
  seed: number,
  shouldContinue: (tried: number) => boolean,
): Promise<{ costliest: CostSample[]; tried: number; statuses: Record<string, number>; faults: CostSample[] }> {
  const random = seededRandom(seed)
  const statuses: Record<string, number> = {}
  const faults: CostSample[] = []
  let pool: CostSample[] = []
  let tried = 0
  for (; shouldContinue(tried); tried++) {
    if (tried % 500 === 0) await office.refresh()
    const parent = pool.length > 0 && random.next() < 0.5 ? random.of(pool) : undefined
    const target = parent?.target ?? targets[tried % targets.length]!
    const first =
      parent === undefined
        ? freshGene(random, target.fields, target.maxBytes)
        : mutateGene(random, random.of(parent.genes), target.fields, target.maxBytes)
    const genes =
      parent !== undefined && random.next() < 0.3
        ? [first, freshGene(random, target.fields, target.maxBytes - Math.min(first.size, target.maxBytes - 1))]
        : [first]
    const once = await measureCost(office, target, genes)
    statuses[once.status] = (statuses[once.status] ?? 0) + 1
    if (once.isFault && faults.length < POOL) faults.push(once)
    if (pool.length >= POOL && costRatio(once) <= costRatio(pool.at(-1)!)) continue
    const sure = await bestOf(2, office, once)
    pool = keepCostliest([...pool, sure.ms < once.ms ? sure : once])
  }
  return { costliest: keepCostliest(pool, 1), tried, statuses, faults }
}

/** Returns the costliest samples, at most a few per target, so that other targets remain. */
function keepCostliest(pool: readonly CostSample[], each = 3): CostSample[] {
  const sorted = pool.toSorted((a, b) => costRatio(b) - costRatio(a))
  const counts = new Map<Target, number>()
  return sorted
    .filter(({ target }) => {
      counts.set(target, (counts.get(target) ?? 0) + 1)
      return counts.get(target)! <= each
    })
    .slice(0, POOL)
}

/**
 * Returns how many times slower this process runs than an idle machine of 2026: a known piece of work, the best of several.
 */
export function slowdown(): number {
  const times = Array.from({ length: 5 }, () => {
    const before = process.threadCpuUsage()
    for (let i = 0; i < 60; i++)
      JSON.parse(JSON.stringify(Array.from({ length: 2_000 }, (_, n) => ({ [`k${n % 50}`]: `v${n}` }))))
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  })
  return Math.max(1, Math.min(...times) / CALIBRATED_MS)
}

const CALIBRATED_MS = 60

/** Checks a cost against a limit for an idle machine. A loaded one shares its caches too, so its factor is taken twice. */
export const isWithin = (cost: number, limit: number): boolean => cost < 2 * limit || cost < 2 * slowdown() * limit

const escapeText = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Formats a sample as one line: its cost, target and input. */
export const describeCost = ({ target, genes, bytes, status, ms, stretch }: CostSample): string => {
  const what = genes
    .map(
      ({ field, shape, unit, before, after }) =>
        `${field}: ${shape} of '${escapeText(before)}' '${escapeText(unit)}' '${escapeText(after)}'`,
    )
    .join(' and ')
  return `${stretch.toFixed(1).padStart(7)} ms longest stretch ${ms.toFixed(1).padStart(7)} ms in total ${(ms / Math.max(1, bytes / 100_000)).toFixed(1).padStart(6)} ms/100 kB ${String(Math.round(bytes / 1000)).padStart(5)} kB ${status} ${target.name} — ${what}`
}
