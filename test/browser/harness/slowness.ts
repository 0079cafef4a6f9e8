import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from 'playwright-core'

const { SLOW_SCRIPTS = '0', SLOW_PAGES = '0', SLOW_PROCESSOR = '1', SLOW_UNEVENLY } = process.env

/** Delays in milliseconds; the processor's slowdown factor. */
const [scripts, pages, processor] = [Number(SLOW_SCRIPTS), Number(SLOW_PAGES), Number(SLOW_PROCESSOR)]

const waitFor = (address: string): number =>
  (/\.(js|css)$/.test(address) ? scripts : address.includes('/assets/') ? 0 : pages) *
  (SLOW_UNEVENLY === undefined ? 1 : Math.random())

/** Returns browser arguments for the configured slowness: a proxy that delays responses. */
export async function startSlowProxy(): Promise<string[]> {
  if (scripts + pages === 0) return []
  const proxy = createServer((asked, answer) => void pass(asked, answer)).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  proxy.unref()
  const { port } = proxy.address() as AddressInfo
  return [`--proxy-server=http://127.0.0.1:${port}`, '--proxy-bypass-list=<-loopback>']
}

async function pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  const { method, headers, url = '' } = asked
  const onward = request(url, { method, headers, agent: false })
  const leave = (): void => void answer.destroy()
  onward.on('error', leave)
  onward.on('response', (response) => {
    answer.writeHead(response.statusCode!, response.rawHeaders)
    answer.flushHeaders()
    pipeline(response, answer, () => {})
  })
  answer.on('close', () => onward.destroy())
  await delay(waitFor(url))
  if (!answer.destroyed) pipeline(asked, onward, () => {})
}

/** Slows down a page's processor as configured. */
export async function throttle(page: Page): Promise<void> {
  if (processor <= 1) return
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: processor })
}
