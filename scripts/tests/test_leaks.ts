import { setTimeout as sleep } from 'node:timers/promises'

/** State that the next file of a worker would notice if a test file changed it and didn't set it back. */
export type ProcessState = { globals: Record<string, unknown>; env: NodeJS.ProcessEnv; cwd: string; servers: number }

/** Milliseconds that servers may take to close: their last connections end first. */
const MAX_CLOSING_MS = 5_000

const countServers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length

export const readState = (): ProcessState => ({
  globals: { Date, fetch, setTimeout, setInterval, setImmediate, queueMicrotask, 'performance.now': performance.now },
  env: { ...process.env },
  cwd: process.cwd(),
  servers: countServers(),
})

/** Lists what a test left changed: globals, environment variables, the working directory, servers that still listen. */
export async function findLeaks(before: ProcessState): Promise<string[]> {
  const end = performance.now() + MAX_CLOSING_MS
  while (countServers() > before.servers && performance.now() < end) await sleep(20)
  const { globals, env, cwd, servers } = readState()
  return [
    ...differences(before.globals, globals),
    ...differences(before.env, env).map((name) => `process.env.${name}`),
    ...(cwd === before.cwd ? [] : ['the working directory']),
    ...(servers > before.servers ? [`${servers - before.servers} listening servers`] : []),
  ]
}

const differences = (before: object, after: object): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => Reflect.get(before, name) !== Reflect.get(after, name),
  )
