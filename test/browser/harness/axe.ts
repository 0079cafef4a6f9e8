import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { evaluateOn } from './launch.ts'

/** Rules that colors can break: light and dark differ in nothing else. */
const OF_COLORS = ['color-contrast', 'link-in-text-block']

/** Which of axe's rules are tried: all, or those of a kind. */
type Rules = { type: 'tag' | 'rule'; values: readonly string[] }

/** Axe as a script of the page. It is evaluated by the browser's driver, since no page of ours runs another's script. */
let script: Promise<string> | undefined
const readScript = (): Promise<string> =>
  (script ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))

/**
 * Returns what a page breaks that has axe, and no page within it. Styles aren't loaded once more: only the experimental
 * rule on turned phones reads them.
 */
async function violationsOn(page: Page, rules: Rules | undefined): Promise<string[]> {
  const options = { ...(rules === undefined ? {} : { runOnly: rules }), resultTypes: ['violations'], preload: false }
  return (await evaluateOn(
    page,
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
  )) as string[]
}

/** Returns what a page breaks in the light of every rule, or of those with a tag, and in the dark of colors, in one load. */
export async function problemsInBoth(page: Page, tags: readonly string[] = []): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  if ((await evaluateOn(page, "'axe' in globalThis")) !== true) await page.evaluate(await readScript())
  const inLight = await violationsOn(page, tags.length === 0 ? undefined : { type: 'tag', values: tags })
  await page.emulateMedia({ colorScheme: 'dark' })
  return [...inLight, ...(await violationsOn(page, { type: 'rule', values: OF_COLORS }))]
}

/** Shows that a page breaks none of all rules, or of those with a tag, in the light nor in the dark. */
export async function passesAxe(page: Page, name: string, tags: readonly string[] = []): Promise<void> {
  assert.deepEqual(await problemsInBoth(page, tags), [], name)
}
