import { mkdir } from 'node:fs/promises'
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

/** Seconds that a person takes for a tap with the look before it, for a key on a phone, and for a page to come. */
const [TAP, KEY, LOAD] = [4, 0.35, 2]

/** Returns how long a person takes for what was counted, by the keystroke-level model with a phone's slow keys. */
export const secondsOf = ({ clicks, keys, loads }: Effort): number => clicks * TAP + keys * KEY + loads * LOAD

/** Keeps a picture of a page where somebody wants to look at the film: `PICTURES=/some/folder`. */
export async function keepFrame(page: Page, name: string): Promise<void> {
  const folder = process.env['PICTURES']
  if (folder === undefined) return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}
