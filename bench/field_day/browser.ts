import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { chromium, type Page } from 'playwright-core'
import { CHROMIUM } from '../../test/browser/harness/executable.ts'
import { ARGS, SIZES } from '../../test/browser/harness/launch.ts'

/** Maximum time for one step, in milliseconds, before the person checks what happened. */
const STEP_MS = 20_000

/** Starts Chromium as a separate process with a persistent profile. */
export async function openBrowser(profile: string) {
  const child = spawn(
    CHROMIUM!,
    [...ARGS, '--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'],
    { detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const end = (): void => void (isRunning(child) && process.kill(-child.pid!, 'SIGKILL'))
  process.once('exit', end)
  const driven = await chromium.connectOverCDP(await addressOf(child))
  const context = driven.contexts()[0]!
  context.setDefaultTimeout(STEP_MS)
  const newPage = async (): Promise<Page> => {
    const page = await context.newPage()
    await page.setViewportSize(SIZES.phone)
    return page
  }
  return {
    newPage,
    isAlive: (): boolean => driven.isConnected(),
    /** Kills all of its processes, whatever they are doing. */
    kill: async (): Promise<void> => {
      process.off('exit', end)
      const exited = isRunning(child) ? once(child, 'exit') : undefined
      end()
      await exited
      await driven.close().catch(() => undefined)
    },
  }
}

export type FieldBrowser = Awaited<ReturnType<typeof openBrowser>>

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null

/** Returns the address at which it listens, from its output. */
async function addressOf(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stderr! })) {
    const [, address] = /^DevTools listening on (ws:\S+)/.exec(line) ?? []
    if (address === undefined) continue
    child.stderr!.resume()
    return address
  }
  throw new Error('Chromium exited before it listened')
}
