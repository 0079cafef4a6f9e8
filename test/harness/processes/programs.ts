import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it } from 'node:test'

const isHere = (command: string): boolean => spawnSync(command, ['-h'], { stdio: 'ignore' }).error === undefined

/** Registers a test that needs an uncommon program. Skips it with a warning if the program is missing. */
export function itWithCommand(command: string, name: string, test: () => Promise<void>): void {
  if (isHere(command)) return void it(name, test)
  process.stderr.write(`NOT TESTED: ${name}. There is no ${command} on this machine\n`)
}

export async function startHttpServer(answer: RequestListener): Promise<{ port: number; end(): Promise<void> }> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    end: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
