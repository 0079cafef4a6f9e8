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
  address: { host: string; port: number }
  /** Called with one line about a process that ended unexpectedly. */
  print: (line: string) => void
  /** Called if the last process ends without having been stopped. */
  onLost: (code: number) => void
}

/** Message that a process sends once it listens. */
const READY = 'callout:ready'

/** Pause in milliseconds before a process that ended is replaced. */
const RESTART_DELAY_MS = 1_000

/**
 * Starts `count` processes of this program, which listen at one address, and returns when all of them do. Replaces one
 * that ends later. If one can't start, stops the others and throws `StartError`.
 */
export async function startProcesses({ count, address, print, onLost }: ProcessOptions): Promise<Processes> {
  const port = await findFreePort(address)
  cluster.schedulingPolicy = cluster.SCHED_NONE
  let stopped: Promise<void> | undefined

  // Starts the first one alone, so that an error common to all is reported once.
  await startOne()
  await Promise.all(Array.from({ length: count - 1 }, startOne)).catch(async (error: unknown) => {
    stopped = stopAll('SIGTERM')
    await stopped
    throw error
  })

  async function startOne(): Promise<void> {
    const worker = cluster.fork({ PORT: String(port) })
    await waitUntilListening(worker)
    replaceOnExit(worker)
  }

  function replaceOnExit(worker: Worker): void {
    worker.once('exit', (code, signal) => {
      if (stopped === undefined) void replace(signal || `code ${code}`)
    })
  }

  async function replace(reason: string): Promise<void> {
    print(`A process ended unexpectedly (${reason}); starting another`)
    await sleep(RESTART_DELAY_MS)
    if (stopped !== undefined) return
    await startOne().catch((error: unknown) => {
      if (stopped !== undefined) return
      if (Object.keys(cluster.workers ?? {}).length === 0) onLost(error instanceof StartError ? error.code : 1)
      else void replace("it couldn't start")
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
export class StartError extends Error {
  readonly code: number
  constructor(code: number) {
    super("A process couldn't start")
    this.code = code
  }
}

/** Returns the port if nothing else listens there: shared sockets would let another service share it. */
async function findFreePort({ host, port }: { host: string; port: number }): Promise<number> {
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  const openPort = portOf(server)
  server.close()
  await once(server, 'close')
  return openPort
}

/** Reports to the parent process that this one listens. */
export function reportListening(): void {
  process.send?.(READY)
}

/** Resolves when a process listens; rejects with `StartError` if it ends first. */
const waitUntilListening = (worker: Worker): Promise<void> =>
  new Promise((resolve, reject) => {
    worker.on('message', (message: unknown) => {
      if (message === READY) resolve()
    })
    worker.once('exit', (code) => reject(new StartError(code || 1)))
  })

function signalAll(signal: NodeJS.Signals): Worker[] {
  const all = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
  for (const worker of all) worker.process.kill(signal)
  return all
}

/** Signals every process, and waits until each has ended. */
async function stopAll(signal: NodeJS.Signals): Promise<void> {
  const running = signalAll(signal).filter((worker) => !worker.isDead())
  await Promise.all(running.map((worker) => once(worker, 'exit')))
}
