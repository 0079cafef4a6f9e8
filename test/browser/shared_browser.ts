import type { Browser, BrowserContext } from 'playwright-core'
import { isInWorker, whenWorkerEnds } from '../harness/worker_life.ts'

/** This worker's browsers by executable. */
const running = new Map<string, Browser>()

/** Returns a new browser, or the worker's shared one under `npm test`: starting one costs as much as a short test. */
export async function shareBrowser(program: string, start: () => Promise<Browser>): Promise<Browser> {
  if (!isInWorker()) return start()
  const existing = running.get(program)
  if (existing?.isConnected() === true) return lendBrowser(existing)
  const browser = await start()
  running.set(program, browser)
  whenWorkerEnds(() => browser.close())
  return lendBrowser(browser)
}

/** Returns the browser as one test file sees it. Closing it closes only the profiles that the file opened. */
export function lendBrowser(browser: Browser): Browser {
  const contexts: BrowserContext[] = []
  const keep = (context: BrowserContext): void => void contexts.push(context)
  const own = {
    newContext: async (...options: Parameters<Browser['newContext']>) => {
      const context = await browser.newContext(...options)
      keep(context)
      return context
    },
    newPage: async (...options: Parameters<Browser['newPage']>) => {
      const page = await browser.newPage(...options)
      keep(page.context())
      return page
    },
    contexts: () => contexts.filter((context) => browser.contexts().includes(context)),
    close: async () => {
      for (const context of contexts.splice(0)) await context.close()
    },
  }
  return new Proxy(browser, {
    get: (_, name) => {
      if (Object.hasOwn(own, name)) return own[name as keyof typeof own]
      const value: unknown = Reflect.get(browser, name, browser)
      return typeof value === 'function' ? value.bind(browser) : value
    },
  })
}
