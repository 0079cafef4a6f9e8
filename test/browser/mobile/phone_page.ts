import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { PASSWORD } from '../../harness/web_client.ts'
import { SIZES, boxOf, evaluateOn } from '../harness/launch.ts'
import { signInAs } from '../harness/sign_in.ts'

/** Options that emulate a phone. */
export const PHONE: BrowserContextOptions = { viewport: SIZES.phone, hasTouch: true, isMobile: true }

/** Signs a user in on a phone, and opens their visits of a company. */
export async function openVisits(page: Page, baseUrl: string, company: string, email: string): Promise<void> {
  await signInAs(page, baseUrl, email)
  await page.goto(`${baseUrl}/field/${company}/`)
  await ready(page)
}

/** Signs in on the open sign-in page, and waits for the visits. */
export async function enter(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await ready(page)
}

/** Waits until the day is shown and stored, and the page is cached for offline use. */
export async function ready(page: Page): Promise<void> {
  await page.locator('main.alive .field-foot').waitFor()
  await page.locator('.field-state.sent, .field-state.needs').waitFor()
  await evaluateOn(page, 'navigator.serviceWorker?.ready.then(() => true)')
}

export const signInPath = (company: string): string => `/sign-in?to=${encodeURIComponent(`/field/${company}/`)}`

export const openVisit = async (page: Page, { id }: { id: string }): Promise<void> => {
  await page.locator(`#card-${id}`).click()
  await page.locator('#back').waitFor()
}

export const state = (page: Page, words: string | RegExp): Promise<void> =>
  page.locator('#state').getByText(words).waitFor()

export const pressInSheet = (page: Page, name: string): Promise<void> =>
  page.locator('#sheet').getByRole('button', { name, exact: true }).click()

/** Reopens a sheet until it shows the content of the next response. */
export async function openUntilShown(page: Page, button: Locator, content: Locator): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    await button.click()
    if ((await content.count()) > 0) return
    await pressInSheet(page, 'Cancel')
    await sleep(100)
  }
  assert.fail(`The sheet never showed ${String(content)}`)
}

export async function writeNote(page: Page, body: string): Promise<void> {
  await page.locator('#do-note').click()
  await page.locator('#sheet textarea').fill(body)
  await pressInSheet(page, 'Save')
}

/** Takes the next step, which the phone offers once it shows the previous one. */
export const step = (page: Page, to: 'en_route' | 'in_progress' | 'done'): Promise<void> =>
  page.locator(`.field-dock .field-step.${to}`).click()

/** Draws a line in the sheet's signature field. */
export async function drawSignature(page: Page): Promise<void> {
  await page.locator('#sheet svg.signature').scrollIntoViewIfNeeded()
  const { x, y } = await boxOf(page.locator('#sheet svg.signature'))
  await page.mouse.move(x + 20, y + 20)
  await page.mouse.down()
  await page.mouse.move(x + 120, y + 60)
  await page.mouse.up()
}
