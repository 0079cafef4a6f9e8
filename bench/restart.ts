import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** Number of answered requests, and of lost ones by the failure that the client saw. */
export type Tally = { answered: number; lost: Record<string, number> }

export type Request = { method: string; path: string; headers?: Record<string, string>; body?: string }

/** `healthCheckMs`: interval of health checks, after which only ready services get requests; without it, as in nginx, there are none. */
export type LoadOptions = { keepAlive: boolean; workers: number; healthCheckMs?: number }

/**
 * Sends requests to several ports in turn, as nginx does by default: a refused connection moves on to the next port,
 * and every other failure is an answer of 502. Nothing is sent twice.
 */
export function openLoad(ports: readonly number[], ask: Request, { keepAlive, workers, healthCheckMs }: LoadOptions) {
  const agent = new Agent({ keepAlive, scheduling: 'lifo' })
  const tally: Tally = { answered: 0, lost: {} }
  const over = new AbortController()
  let [next, ready] = [0, ports]

  async function checkHealth(everyMs: number): Promise<void> {
    while (!over.signal.aborted) {
      const statuses = await Promise.all(
        ports.map((port) => sendRequest(healthAgent, port, { method: 'GET', path: '/health/ready' })),
      )
      ready = ports.filter((_, i) => statuses[i] === 200)
      await sleep(everyMs)
    }
  }

  async function work(): Promise<void> {
    while (!over.signal.aborted) {
      const outcome = await sendToNext(next++)
      if (outcome === 200) tally.answered++
      else tally.lost[outcome] = (tally.lost[outcome] ?? 0) + 1
    }
  }

  async function sendToNext(first: number): Promise<number | string> {
    for (const [i] of ready.entries()) {
      const outcome = await sendRequest(agent, ready[(first + i) % ready.length]!, ask)
      if (outcome !== 'ECONNREFUSED') return outcome
    }
    await sleep(1)
    return 'no service left'
  }

  const done = Promise.all([
    ...(healthCheckMs === undefined ? [] : [checkHealth(healthCheckMs)]),
    ...Array.from({ length: workers }, work),
  ])
  return {
    tally,
    end: async (): Promise<Tally> => {
      over.abort()
      await done
      agent.destroy()
      return tally
    },
  }
}

const healthAgent = new Agent()

/** Returns the status, or the error code. */
const sendRequest = (
  agent: Agent,
  port: number,
  { method, path, headers = {}, body = '' }: Request,
): Promise<number | string> =>
  new Promise((resolve) => {
    const sent = request(
      {
        agent,
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
      },
      (res) => {
        res
          .resume()
          .once('end', () => resolve(res.statusCode!))
          .once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      },
    )
    sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message)).end(body)
  })

/** Starts a process and waits for its first output. `stop` sends SIGTERM, as a supervisor does. */
export async function startProcess(
  file: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<{ child: ChildProcess; stop(): Promise<number | null> }> {
  const child = spawn(process.execPath, [file, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`${file} exited with ${String(code)}`)
    }),
  ])
  return {
    child,
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      return (await ended)[0] as number | null
    },
  }
}

/** Restarts several services in turn, with a pause after each. Returns the number of restarts. */
export async function rollOver(
  start: (i: number) => Promise<{ stop(): Promise<unknown> }>,
  running: { stop(): Promise<unknown> }[],
  rounds: number,
  pauseMs: number,
): Promise<number> {
  for (let round = 0; round < rounds; round++) {
    for (const i of running.keys()) {
      await running[i]!.stop()
      running[i] = await start(i)
      await sleep(pauseMs)
    }
  }
  return rounds * running.length
}
