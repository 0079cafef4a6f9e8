import { setTimeout as sleep } from 'node:timers/promises'
import { runNginx } from '../../test/harness/processes/nginx.ts'
import { freePort } from '../../test/harness/web_client.ts'
import { startProcess } from '../restart.ts'
import type { Setup } from '../setup.ts'

const SERVER = new URL('../servers/callout.ts', import.meta.url).pathname

/** Starts two services on one database behind nginx with its defaults and the Host header. Both can be restarted in turn. */
export async function openBalanced(setup: Setup) {
  const ports = [await freePort(), await freePort(), await freePort()] as const
  const services = [await service(setup, ports[0]), await service(setup, ports[1])]
  const nginx = await startNginx(ports[2], [ports[0], ports[1]])
  return {
    url: `http://127.0.0.1:${ports[2]}/api/mcp`,
    /** Restarts each service in turn, until it listens. Returns the number of starts. */
    roll: async (pauseMs: number): Promise<number> => {
      let starts = 0
      for (const i of services.keys()) {
        await services[i]!.stop()
        for (let isUp = false; !isUp; starts++) {
          isUp = await service(setup, ports[i]!).then(
            (one) => ((services[i] = one), true),
            () => false,
          )
        }
        await sleep(pauseMs)
      }
      return starts
    },
    end: async (): Promise<void> => {
      await nginx.stop()
      await Promise.all(services.map((one) => one.stop()))
    },
  }
}

const service = (setup: Setup, port: number) => startProcess(SERVER, [JSON.stringify(setup), String(port)])

/** Starts nginx with its defaults and the Host header. */
const startNginx = (port: number, ports: readonly number[]) =>
  runNginx(
    () => `upstream callout { ${ports.map((one) => `server 127.0.0.1:${one};`).join(' ')} }
    server { listen 127.0.0.1:${port}; location / { proxy_pass http://callout; proxy_set_header Host $http_host; } }`,
  )
