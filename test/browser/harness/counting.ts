import { mkdir } from 'node:fs/promises'
import type { Page } from 'playwright-core'

/** What a person did on a page: clicks, key presses and page loads. */
export type Effort = { clicks: number; keys: number; loads: number }

/** Counts a person's actions on a page from now on, by trusted browser events. */
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

/** Seconds per tap with the look before it, per key on a phone, and per page load. */
const [TAP, KEY, LOAD] = [4, 0.35, 2]

/** Returns the time for the counted actions, by the keystroke-level model with a phone's slow keys. */
export const secondsOf = ({ clicks, keys, loads }: Effort): number => clicks * TAP + keys * KEY + loads * LOAD

/** Saves a picture of a page if requested: `PICTURES=/some/folder`. */
export async function keepFrame(page: Page, name: string): Promise<void> {
  const folder = process.env['PICTURES']
  if (folder === undefined) return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}
