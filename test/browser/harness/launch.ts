import assert from 'node:assert/strict'
import { afterEach, before, describe } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from 'playwright-core'
import { shareBrowser } from '../shared_browser.ts'
import { CHROMIUM, HEADLESS_SHELL } from './executable.ts'
import { startSlowProxy, throttle } from './slowness.ts'

export const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Tests in a real browser. Without one they are skipped with a warning, and fail with CI=true. After a failure, later
 * tests use short timeouts, because they may depend on it.
 */
export function inBrowser(name: string, tests: () => void): void {
  if (CHROMIUM !== undefined || process.env['CI'] === 'true')
    return void describe(name, () => {
      before(() => beginPatience(PATIENCE_MS))
      afterEach(({ passed }) => {
        if (!passed) beginPatience(Math.min(PATIENCE_MS, AFTER_RED_MS))
      })
      tests()
    })
  process.stderr.write(`NOT TESTED: ${name}. There is no Chromium on this machine; install chromium\n`)
}

/**
 * Starts the browser. `whole` is for what the headless shell lacks: notifications, event timing, real text rendering,
 * and mocked responses for other sites that a form leads to.
 */
export async function launch(kind: 'shell' | 'whole' = 'shell'): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('These tests need Chromium: install chromium')
  const executablePath = kind === 'whole' ? CHROMIUM : (HEADLESS_SHELL ?? CHROMIUM)
  return shareBrowser(executablePath, async () =>
    chromium.launch({ executablePath, args: [...ARGS, ...(await startSlowProxy())] }),
  )
}

/** Stops what hangs, but nothing that is only slow on a busy machine. */
const PATIENCE_MS = Number(process.env['PATIENCE'] ?? 120_000)
const AFTER_RED_MS = 5_000

let patienceMs = PATIENCE_MS
const contexts = new Set<BrowserContext>()

function beginPatience(ms: number): void {
  patienceMs = ms
  for (const context of contexts) context.setDefaultTimeout(ms)
}

export const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } }

/** Opens a page in a new profile. Returns it with the browser's errors on this and later pages. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; complaints: string[]; close(): Promise<void> }> {
  const context = await browser.newContext({ viewport: SIZES.desktop, ...options })
  context.setDefaultTimeout(patienceMs)
  contexts.add(context)
  context.on('close', () => contexts.delete(context))
  context.on('page', (page) => void throttle(page).catch(() => {}))
  const complaints: string[] = []
  context.on('console', (message) => {
    const isLoading = message.text().startsWith('Failed to load resource')
    if (/Content.Security.Policy/i.test(message.text()) || (message.type() === 'error' && !isLoading))
      complaints.push(message.text())
  })
  context.on('weberror', (error) => complaints.push(error.error().message))
  return { page: await context.newPage(), complaints, close: () => context.close() }
}

/** Evaluates an expression on the fully loaded page, because a click returns as soon as the next page begins. */
export async function evaluateOn(page: Page, expression: string): Promise<unknown> {
  await page.waitForLoadState()
  return page.evaluate(expression)
}

/**
 * Waits until an expression is true on the page. The driver's own wait evaluates it in the page, which the CSP
 * forbids.
 */
export async function until(page: Page, expression: string): Promise<void> {
  const end = performance.now() + patienceMs
  while ((await evaluateOn(page, expression).catch(passNavigation)) !== true) {
    assert.ok(performance.now() < end, `This never came true: ${expression}`)
    await sleep(50)
  }
}

/** Returns undefined if the page navigated during the evaluation. */
function passNavigation(error: unknown): undefined {
  if (!/Execution context was destroyed/.test(String(error))) throw error
}

/** Waits for an element on a fully loaded page, because scripts and styles may not apply before. */
export async function waitOnWhole(one: Locator): Promise<void> {
  await one.waitFor()
  await one.page().waitForLoadState()
}

/** Returns an element's position on the page, once the page has loaded. */
export async function boxOf(one: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  await waitOnWhole(one)
  const box = await one.boundingBox()
  assert.ok(box !== null, `${String(one)} stands nowhere`)
  return box
}
