import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { portOf } from '../platform/http/server.ts'

/** Processes that listen at one address. `stop()` lets them finish; a second call ends them at once. */
type Processes = { stop(): Promise<void> }

type ProcessOptions = {
  count: number
  /** Address to listen on. Port 0 becomes the same free port for all processes. */
  at: { host: string; port: number }
  /** Called with one line about a process that ended unexpectedly. */
  say: (line: string) => void
  /** Called if the last process ends without having been stopped. */
  onLost: (code: number) => void
}

/** Message that a process sends once it listens. */
const READY = 'callout:ready'

/** Pause in milliseconds before a process that ended is replaced. */
const PAUSE_MS = 1_000

/**
 * Starts `count` processes of this program, which listen at one address, and returns when all of them do. Replaces one
 * that ends later. If one can't start, stops the others and throws `NotStarted`.
 */
export async function startProcesses({ count, at, say, onLost }: ProcessOptions): Promise<Processes> {
  const port = await freePort(at)
  cluster.schedulingPolicy = cluster.SCHED_NONE
  let stopped: Promise<void> | undefined

  // Starts the first one alone, so that an error common to all is reported once.
  await begin()
  await Promise.all(Array.from({ length: count - 1 }, begin)).catch(async (error: unknown) => {
    stopped = stopAll('SIGTERM')
    await stopped
    throw error
  })

  async function begin(): Promise<void> {
    const worker = cluster.fork({ PORT: String(port) })
    await listening(worker)
    keep(worker)
  }

  function keep(worker: Worker): void {
    worker.once('exit', (code, signal) => {
      if (stopped === undefined) void replace(signal || `code ${code}`)
    })
  }

  async function replace(why: string): Promise<void> {
    say(`A process ended by itself (${why}); another takes its place`)
    await sleep(PAUSE_MS)
    if (stopped !== undefined) return
    await begin().catch((error: unknown) => {
      if (stopped !== undefined) return
      if (Object.keys(cluster.workers ?? {}).length === 0) onLost(error instanceof NotStarted ? error.code : 1)
      else void replace('it could not begin')
    })
  }

  return {
    stop: () => {
      if (stopped !== undefined) signalAll('SIGTERM')
      return (stopped ??= stopAll('SIGTERM'))
    },
  }
}

/** Thrown if a process could not start. The process has already printed the reason. */
export class NotStarted extends Error {
  readonly code: number
  constructor(code: number) {
    super('A process could not begin')
    this.code = code
  }
}

/** Returns the port if nothing else listens there: shared sockets would let another service share it. */
async function freePort({ host, port }: { host: string; port: number }): Promise<number> {
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  const free = portOf(server)
  server.close()
  await once(server, 'close')
  return free
}

/** Reports to the parent process that this one listens. */
export function reportListening(): void {
  process.send?.(READY)
}

/** Resolves when a process listens; rejects with `NotStarted` if it ends first. */
const listening = (worker: Worker): Promise<void> =>
  new Promise((resolve, reject) => {
    worker.on('message', (message: unknown) => {
      if (message === READY) resolve()
    })
    worker.once('exit', (code) => reject(new NotStarted(code || 1)))
  })

function signalAll(signal: NodeJS.Signals): Worker[] {
  const all = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
  for (const worker of all) worker.process.kill(signal)
  return all
}

/** Signals every process, and waits until each has ended. */
async function stopAll(signal: NodeJS.Signals): Promise<void> {
  const living = signalAll(signal).filter((worker) => !worker.isDead())
  await Promise.all(living.map((worker) => once(worker, 'exit')))
}
