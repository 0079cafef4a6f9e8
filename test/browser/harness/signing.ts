import type { Page } from 'playwright-core'
import { boxOf } from './launch.ts'

/** Draws on the signature pad with the mouse once its script has loaded. A finger's moves are similar. */
export async function signOn(page: Page): Promise<void> {
  await page.waitForSelector('signature-pad:not([hidden])')
  const board = page.locator('signature-pad svg')
  await board.scrollIntoViewIfNeeded()
  const { x, y, width, height } = await boxOf(board)
  await page.mouse.move(x + width * 0.2, y + height * 0.5)
  await page.mouse.down()
  for (const step of [0.3, 0.4, 0.5, 0.6, 0.7]) await page.mouse.move(x + width * step, y + height * (step % 0.2))
  await page.mouse.up()
}
