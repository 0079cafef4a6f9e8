import { existsSync } from 'node:fs'
import { describe } from 'node:test'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'

const EXECUTABLE = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
)

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Tests in a real browser. Without one they are left out with a loud line, and fail where CI=true. */
export function inBrowser(name: string, tests: () => void): void {
  if (EXECUTABLE !== undefined || process.env['CI'] === 'true') return void describe(name, tests)
  process.stderr.write(`NOT TESTED: ${name}. There is no Chromium on this machine; install chromium\n`)
}

export function launch(): Promise<Browser> {
  if (EXECUTABLE === undefined) throw new Error('These tests need Chromium: install chromium')
  return chromium.launch({ executablePath: EXECUTABLE, args: ARGS })
}

/** Ends what hangs, and nothing that is slow on a machine with other work. */
const PATIENCE_MS = 120_000

export const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } }

/** A page in a profile of its own, and what the browser complained about on this and later pages of it. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; complaints: string[]; close(): Promise<void> }> {
  const context = await browser.newContext({ viewport: SIZES.desktop, ...options })
  context.setDefaultTimeout(PATIENCE_MS)
  const complaints: string[] = []
  context.on('console', (message) => {
    const isLoading = message.text().startsWith('Failed to load resource')
    if (/Content.Security.Policy/i.test(message.text()) || (message.type() === 'error' && !isLoading))
      complaints.push(message.text())
  })
  context.on('weberror', (error) => complaints.push(error.error().message))
  return { page: await context.newPage(), complaints, close: () => context.close() }
}

/** Evaluates an expression on the page that is there once its document was read: a click returns as soon as the next page begins. */
export async function evaluateOn(page: Page, expression: string): Promise<unknown> {
  await page.waitForLoadState('domcontentloaded')
  return page.evaluate(expression)
}
