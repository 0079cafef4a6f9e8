import assert from 'node:assert/strict'
import { load } from 'cheerio'
import { createKey } from '../../src/identity/credentials/keys.ts'
import { SCOPES } from '../../src/identity/permissions/scopes.ts'
import { callerOf, type Result, type TestService } from '../harness/harness.ts'
import { formAt, openOffice, pageTextOf, sendForm } from '../harness/identity/people_pages.ts'
import type { Browser, BrowserResponse } from '../harness/web_client.ts'

/** Creates a company whose owner has an assistant besides the office's key. */
export async function openAssisted(service: TestService, name: string) {
  const company = await openOffice(service, name)
  const { id: of, key } = await createKey(
    service.database,
    { tenant: company.id },
    { user: company.owner.user_id, name: 'Claude', scopes: SCOPES, expires_at: null },
  )
  const day = { from: '2000-01-01T00:00:00Z', until: '2100-01-01T00:00:00Z' }
  const path = (query: Record<string, string> = {}): string =>
    `${company.at('undo')}?${new URLSearchParams({ of, ...day, ...query }).toString()}`
  return { ...company, of, claude: callerOf(service.url, key), path, day }
}

type Scene = Awaited<ReturnType<typeof openAssisted>>

/** Submits the form of a preview. */
export const press = async (
  browser: Browser,
  { at }: Pick<Scene, 'at'>,
  preview: BrowserResponse,
): Promise<BrowserResponse> => sendForm(browser, at('undo'), formAt(preview, at('undo')))

/** Undoes what a preview shows, and returns the result page. */
export async function undoFrom(browser: Browser, scene: Pick<Scene, 'at'>, address: string): Promise<BrowserResponse> {
  const sent = await press(browser, scene, await browser.get(address))
  assert.equal(sent.status, 303, pageTextOf(sent))
  return browser.get(sent.location!)
}

/** Returns the address of the first link with matching text. */
export const linkIn = ({ text }: Pick<BrowserResponse, 'text'>, words: RegExp): string => {
  const link = load(text)('a')
    .filter((_, one) => words.test(load(one).text()))
    .first()
  assert.ok(link.length > 0, `no link says ${words}`)
  return link.attr('href')!
}

/** Lists the rows that changed since a time, removed ones included. */
export const updatedSince = async (
  call: Scene['call'],
  tool: string,
  since: string,
  args: object = {},
): Promise<Result[]> => (await call(tool, { updated_since: since, include_removed: true, ...args }))['rows']
