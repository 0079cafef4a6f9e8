import type { Page } from 'playwright-core'
import { evaluateOn } from './launch.ts'

/** Presses Tab until the element with this name has the focus. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    if (presses > 0) await page.keyboard.press('Tab')
    if (
      name.test(
        String(await evaluateOn(page, '(document.activeElement.labels?.[0] ?? document.activeElement).innerText')),
      )
    )
      return
  }
  throw new Error(`Tab doesn't reach ${name.source}`)
}
