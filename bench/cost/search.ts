import { Agent, request } from 'node:http'
import { chanceFrom, freshGene, mutated, type Gene } from './genes.ts'
import type { Office } from './office.ts'
import type { Sent, Target } from './requests.ts'

/** Describes a request and what it cost: processor time of the thread that runs the event loop, in milliseconds. */
export type Dear = {
  target: Target
  genes: readonly Gene[]
  bytes: number
  status: number
  /** Tells that it was answered by 500 or more, or that a tool said `internal`: no input may lead to that. */
  isFault: boolean
  ms: number
}

const MAX_MS = 250
const MS_PER_100_KB = 50

/** Returns what a request of so many bytes may cost on an idle machine. */
export const allowed = (bytes: number): number => Math.min(MAX_MS, MS_PER_100_KB * Math.max(1, bytes / 100_000))

/** Says how dear it is: 1 is all that is allowed. */
export const dearness = ({ ms, bytes }: Pick<Dear, 'ms' | 'bytes'>): number => ms / allowed(bytes)

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const POOL = 40
/** A sender who is answered before the end may be cut off. */
const CUT = 0
/** Is in bytes: a tool's own fault is told at the beginning of its answer. */
const BEGINNING = 400

/** Sends a request of the genes once. The client's own work is in the time, which is never less than the service's. */
export async function measured(office: Office, target: Target, genes: readonly Gene[]): Promise<Dear> {
  const sent = target.request(genes)
  const before = process.threadCpuUsage()
  const answer = await answered(office, sent)
  const { user, system } = process.threadCpuUsage(before)
  return { target, genes, bytes: sent.body.length + sent.path.length, ...answer, ms: (user + system) / 1_000 }
}

function answered({ service }: Office, { path, headers, body }: Sent): Promise<Pick<Dear, 'status' | 'isFault'>> {
  return new Promise((resolve) => {
    let begins = ''
    const ended = (status = CUT): void =>
      resolve({ status, isFault: status >= 500 || begins.includes('"text":"internal: ') })
    const sending = request(
      new URL(path, service.config.baseUrl),
      {
        agent,
        method: body.length === 0 ? 'GET' : 'POST',
        headers: { ...headers, ...(body.length === 0 ? {} : { 'content-length': body.length }) },
      },
      (answer) => {
        answer
          .on('data', (piece: Buffer) => {
            if (begins.length < BEGINNING) begins += piece.toString('latin1', 0, BEGINNING)
          })
          .on('error', () => ended())
          .on('end', () => ended(answer.statusCode))
      },
    )
    sending.on('error', () => ended()).end(body)
  })
}

/** Returns the least of several: what else the machine and the garbage collector did is no cost of the request. */
export async function bestOf(
  times: number,
  office: Office,
  { target, genes }: Pick<Dear, 'target' | 'genes'>,
): Promise<Dear> {
  let best = await measured(office, target, genes)
  for (let i = 1; i < times; i++) {
    const again = await measured(office, target, genes)
    if (again.ms < best.ms) best = again
  }
  return best
}

/**
 * Looks for the dearest requests for as long as `goesOn`: tries each target afresh, and grows what was dearest. Answers them
 * dearest first, one for each target, with how many were answered by each status, and the faults.
 */
export async function search(
  office: Office,
  targets: readonly Target[],
  seed: number,
  goesOn: (tried: number) => boolean,
): Promise<{ dearest: Dear[]; tried: number; statuses: Record<string, number>; faults: Dear[] }> {
  const chance = chanceFrom(seed)
  const statuses: Record<string, number> = {}
  const faults: Dear[] = []
  let pool: Dear[] = []
  let tried = 0
  for (; goesOn(tried); tried++) {
    if (tried % 500 === 0) await office.refresh()
    const parent = pool.length > 0 && chance.next() < 0.5 ? chance.of(pool) : undefined
    const target = parent?.target ?? targets[tried % targets.length]!
    const first =
      parent === undefined
        ? freshGene(chance, target.fields, target.most)
        : mutated(chance, chance.of(parent.genes), target.fields, target.most)
    const genes =
      parent !== undefined && chance.next() < 0.3
        ? [first, freshGene(chance, target.fields, target.most - Math.min(first.size, target.most - 1))]
        : [first]
    const once = await measured(office, target, genes)
    statuses[once.status] = (statuses[once.status] ?? 0) + 1
    if (once.isFault && faults.length < POOL) faults.push(once)
    if (pool.length >= POOL && dearness(once) <= dearness(pool.at(-1)!)) continue
    const sure = await bestOf(2, office, once)
    pool = kept([...pool, sure.ms < once.ms ? sure : once])
  }
  return { dearest: kept(pool, 1), tried, statuses, faults }
}

/** Returns the dearest, at most a few of one target, so that the others stay in sight. */
function kept(pool: readonly Dear[], each = 3): Dear[] {
  const sorted = pool.toSorted((a, b) => dearness(b) - dearness(a))
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
export function slowness(): number {
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

const shown = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Returns a line for people: what it cost, where, of what. */
export const told = ({ target, genes, bytes, status, ms }: Dear): string => {
  const what = genes
    .map(
      ({ field, shape, unit, before, after }) =>
        `${field}: ${shape} of '${shown(before)}' '${shown(unit)}' '${shown(after)}'`,
    )
    .join(' and ')
  return `${ms.toFixed(1).padStart(7)} ms ${(ms / Math.max(1, bytes / 100_000)).toFixed(1).padStart(6)} ms/100 kB ${String(Math.round(bytes / 1000)).padStart(5)} kB ${status} ${target.name} — ${what}`
}
