import assert from 'node:assert/strict'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { evaluateOn } from './launch.ts'

/** Rules that colors can break: light and dark differ in nothing else. */
const OF_COLORS = ['color-contrast', 'link-in-text-block']

type Violation = { id: string; nodes: { html: string }[] }

const told = (violations: readonly Violation[]): string[] =>
  violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)

/**
 * Returns what a page in the light breaks of every rule, or of those with a tag. No page has another inside it, so that
 * none is looked for.
 */
async function violationsOn(page: Page, tags: readonly string[]): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.waitForLoadState()
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] })
  return told((await (tags.length > 0 ? axe.withTags([...tags]) : axe).analyze()).violations)
}

/** Returns the same page's colors in the dark: axe is there since it looked at the light. */
async function darkViolationsOn(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' })
  const options = { runOnly: OF_COLORS, resultTypes: ['violations'] }
  const { violations } = (await evaluateOn(page, `axe.run(document, ${JSON.stringify(options)})`)) as {
    violations: Violation[]
  }
  return told(violations)
}

/** Returns what a page breaks in the light and in the dark, in one load. */
export async function problemsInBoth(page: Page, tags: readonly string[] = []): Promise<string[]> {
  const inLight = await violationsOn(page, tags)
  return [...inLight, ...(await darkViolationsOn(page))]
}

/** Shows that a page breaks none of all rules, or of those with a tag, in the light nor in the dark. */
export async function passesAxe(page: Page, name: string, tags: readonly string[] = []): Promise<void> {
  assert.deepEqual(await problemsInBoth(page, tags), [], name)
}
