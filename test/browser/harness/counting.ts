import type { Page } from 'playwright-core'

/** What a person did on a page: clicks, key presses and page loads. */
export type Effort = { clicks: number; keys: number; loads: number }

/** Counts a person's actions on a page from now on, by the events that the browser trusts. */
export async function countEffort(page: Page): Promise<Effort> {
  const effort: Effort = { clicks: 0, keys: 0, loads: 0 }
  await page.exposeFunction('counted', (what: 'clicks' | 'keys') => void effort[what]++)
  const listening = `if (!globalThis.isCounting) {
    globalThis.isCounting = true
    addEventListener('pointerdown', (event) => event.isTrusted && counted('clicks'), true)
    addEventListener('keydown', (event) => event.isTrusted && !event.repeat && counted('keys'), true)
  }`
  await page.addInitScript(listening)
  await page.evaluate(listening)
  page.on('domcontentloaded', () => void effort.loads++)
  return effort
}
