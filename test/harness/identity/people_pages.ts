import { load } from 'cheerio'
import { createKey } from '../../../src/identity/credentials/keys.ts'
import type { Ceiling, Role } from '../../../src/identity/permissions/areas.ts'
import { SCOPES } from '../../../src/identity/permissions/scopes.ts'
import { readTenant, sql } from '../../../src/platform/db/tenant.ts'
import { isInProgress } from '../../../src/platform/html/layout.ts'
import { callerOf, type Result, type TestService } from '../harness.ts'
import { createCompany, newBrowser, type Browser, type BrowserResponse } from '../web_client.ts'

type Entry = { tool: string; record_id: string; user_id: string | null; changed: Record<string, [unknown, unknown]> }

/** Makes a company with its owner signed in at a browser, and an owner's key for agents. */
export async function openOffice(service: TestService, name: string, timezone?: string) {
  const company = await createCompany(service, name, undefined, timezone)
  const { key } = await createKey(
    service.database,
    { tenant: company.id },
    { user: company.owner.user_id, name: 'Agent', scopes: SCOPES, expires_at: null },
  )
  const at = (...steps: string[]): string => `/${[company.id, ...steps].join('/')}`
  const signInAs = async (email: string): Promise<Browser> => {
    const browser = newBrowser(service)
    await browser.signIn(email)
    return browser
  }
  const browser = await signInAs(company.owner.email)
  const { call, send } = callerOf(service.url, key)
  return {
    ...company,
    at,
    call,
    send,
    browser,
    signInAs,
    signInMember: async (role: Role, areas?: Partial<Ceiling>) => {
      const member = await company.hire(role, areas)
      return { ...member, browser: await signInAs(member.email) }
    },
    customer: (first_name: string, more: object = {}): Promise<Result> =>
      call('customers_create', { customer_type: 'individual', first_name, ...more }),
    entries: (record: string): Promise<Entry[]> =>
      readTenant(service.database, { tenant: company.id }, (db) =>
        db.all<Entry>(
          sql`select tool, record_id, user_id, changed from audit where tenant_id = ${company.id} and record_id = ${record} order by id`,
        ),
      ),
  }
}

export type Office = Awaited<ReturnType<typeof openOffice>>

/** Returns the visible text of a page. */
export function pageTextOf({ text: html }: Pick<BrowserResponse, 'text'>): string {
  const $ = load(html)
  $('script, style, wbr').remove()
  $('*').before(' ').after(' ')
  return $.root().text().replace(/\s+/g, ' ')
}

/** Opens all conversations of a list. Returns their pages as one text. */
export async function conversationsOf(browser: Browser, list: string): Promise<Pick<BrowserResponse, 'text'>> {
  const $ = load((await browser.get(list)).text)
  const paths = [
    ...new Set(
      $('.conversations a')
        .get()
        .map((one) => $(one).attr('href')!),
    ),
  ]
  if (paths.length === 0) throw new Error('No conversation is listed')
  const pages: string[] = []
  for (const path of paths) pages.push((await browser.get(path)).text)
  return { text: pages.join('\n') }
}

/**
 * Returns the fields of the form with this action as a browser would send them, but with LF line ends. Of several
 * forms, takes the first that works without a script.
 */
export function formAt({ text: html }: Pick<BrowserResponse, 'text'>, action: string): [name: string, value: string][] {
  const page = load(html)
  const forms = page('form').filter((_, { attribs }) => attribs['action'] === action)
  const byHand = forms.filter((_, one) => page(one).find('[data-passkey]').length === 0)
  const form = (byHand.length > 0 ? byHand : forms).first()
  if (form.length === 0) throw new Error(`No form is sent to ${action}`)
  return form.serializeArray().map(({ name, value }) => [name, value.replaceAll('\r\n', '\n')])
}

/** Opens a page's form and submits it with changed fields. Null removes a field. */
export async function submit(
  browser: Browser,
  page: string,
  changes: Record<string, string | string[] | null> = {},
  action = page,
): Promise<BrowserResponse> {
  const opened = formAt(await browser.get(page), action)
  const kept = opened.filter(([name]) => !(name in changes))
  const over = Object.entries(changes).flatMap(([name, value]): [string, string][] =>
    value === null ? [] : [value].flat().map((one) => [name, one]),
  )
  return sendForm(browser, action, [...kept, ...over])
}

/** Submits fields, which may have several values. */
export const sendForm = (browser: Browser, action: string, fields: [string, string][]): Promise<BrowserResponse> =>
  browser.send(action, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { 'sec-fetch-site': 'same-origin' },
  })

/** Follows an answer's redirects and waits for work in progress. Returns the final page. */
export async function followRedirects(browser: Browser, answer: BrowserResponse): Promise<BrowserResponse> {
  let [page, path] = [answer, answer.location]
  while (path !== null) {
    page = await browser.get(path)
    path = page.location ?? (isInProgress(page.text) ? path : null)
  }
  return page
}

/** Returns the record id at the end of a location. */
export const idAt = (location: string | null): string => location?.split('/').at(-1) ?? ''

/** Returns the error beside a field. */
export function errorAt({ text: html }: Pick<BrowserResponse, 'text'>, name: string): string | undefined {
  const error = load(html)('p.error').filter((_, { attribs }) => attribs['id'] === `${name}-error`)
  return error.length === 0 ? undefined : error.text()
}

/** Returns the submitted form that a sign-in page keeps for later. */
export const readKeptForm = ({ text: html }: Pick<BrowserResponse, 'text'>): string =>
  Buffer.from(load(html)('[name="typed"]').attr('value') ?? '', 'base64url').toString()
