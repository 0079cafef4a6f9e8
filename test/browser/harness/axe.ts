import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { evaluateOn } from './launch.ts'

/** Rules about colors: light and dark differ in nothing else. */
const OF_COLORS = ['color-contrast', 'link-in-text-block']

/** axe rules to run: all, or those with a tag. */
type Rules = { type: 'tag' | 'rule'; values: readonly string[] }

/** axe as a script, evaluated by the browser's driver because the page's CSP allows no other scripts. */
let script: Promise<string> | undefined
const readScript = (): Promise<string> =>
  (script ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))

/**
 * Returns the violations of a page that has axe, without its frames. Styles aren't loaded again, because only the
 * experimental rule on turned phones reads them.
 */
async function violationsOn(page: Page, rules: Rules | undefined): Promise<string[]> {
  const options = { ...(rules === undefined ? {} : { runOnly: rules }), resultTypes: ['violations'], preload: false }
  return (await evaluateOn(
    page,
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
  )) as string[]
}

/** Returns all violations in light, or those with a tag, and color violations in dark, in one page load. */
export async function problemsInBoth(page: Page, tags: readonly string[] = []): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  if ((await evaluateOn(page, "'axe' in globalThis")) !== true) await page.evaluate(await readScript())
  const inLight = await violationsOn(page, tags.length === 0 ? undefined : { type: 'tag', values: tags })
  await page.emulateMedia({ colorScheme: 'dark' })
  return [...inLight, ...(await violationsOn(page, { type: 'rule', values: OF_COLORS }))]
}

/** Asserts that a page has no violations, or none with a tag, in light and dark. */
export async function passesAxe(page: Page, name: string, tags: readonly string[] = []): Promise<void> {
  assert.deepEqual(await problemsInBoth(page, tags), [], name)
}
