import { createKey } from '../../../src/identity/credentials/keys.ts'
import { findUser } from '../../../src/identity/people/users.ts'
import { savedSceneAt } from '../../../test/payments/saved_scene.ts'
import { openPortalScene } from '../../../test/customer_portal/portal_scene.ts'
import { providedCompany } from '../../../test/harness/identity/company_provider.ts'
import { formAt } from '../../../test/harness/identity/people_pages.ts'
import type { Browser, BrowserResponse } from '../../../test/harness/web_client.ts'
import type { Office, Outside } from '../office.ts'
import { EMPTY, FORM_TYPE, type Sent } from '../requests.ts'

/** Companies for prepared states: a sandbox whose records and people come and go, one with saved cards, and one with its own identity provider. */
export type StateContext = Awaited<ReturnType<typeof openStateContext>>

/** Creates what a route needs to accept a request, and returns that request. */
export type State = (context: StateContext) => Promise<Sent>

export type States = Readonly<Record<string, State>>

export async function openStateContext(office: Office, outside: Outside) {
  const sandbox = await openPortalScene({}, office.service)
  const { service } = office
  const { database } = service
  const options = { user: (await findUser(database, office.owner)).id, name: 'Calendar', expires_at: null }
  const { key } = await createKey(database, { tenant: office.tenant }, { ...options, scopes: ['read:jobs'] })
  return {
    service,
    sandbox,
    saved: await savedSceneAt(await openPortalScene({}, service), office.checkout, 'acct_saved'),
    /** Address of one of the office's calendars, with its key. */
    calendarAt: (route: string): string => route.replace(':key', key),
    outside: { ...outside, company: await providedCompany(service, outside.provider, 'Provided') },
  }
}

type Fields = Readonly<Record<string, string>> | readonly (readonly [string, string])[]

const cookieOf = ({ jar }: Pick<Browser, 'jar'>): string =>
  [...jar].map(([name, value]) => `${name}=${value}`).join('; ')

/** Returns a request as a browser sends it: a form if there are fields. */
export function requestBy(browser: Pick<Browser, 'jar'>, path: string, fields?: Fields): Sent {
  const headers = { cookie: cookieOf(browser), accept: 'text/html', 'accept-encoding': 'gzip' }
  if (fields === undefined) return { path, headers, body: EMPTY }
  const pairs = Array.isArray(fields) ? fields : Object.entries(fields)
  return {
    path,
    method: 'POST',
    headers: { ...headers, ...FORM_TYPE, 'sec-fetch-site': 'same-origin' },
    body: Buffer.from(new URLSearchParams(pairs).toString()),
  }
}

/** Returns the form of a page, with some fields changed, as a browser sends it. */
export function formBy(
  browser: Pick<Browser, 'jar'>,
  page: Pick<BrowserResponse, 'text'>,
  action: string,
  changes: Readonly<Record<string, string>> = {},
): Sent {
  const unchanged = formAt(page, action).filter(([name]) => !(name in changes))
  return requestBy(browser, action, [...unchanged, ...Object.entries(changes)])
}

/** Returns a form with files as a browser sends it. */
export async function filesBy(browser: Pick<Browser, 'jar'>, path: string, form: FormData): Promise<Sent> {
  const whole = new Response(form)
  return {
    path,
    method: 'POST',
    headers: {
      cookie: cookieOf(browser),
      'sec-fetch-site': 'same-origin',
      'content-type': whole.headers.get('content-type')!,
    },
    body: Buffer.from(await whole.arrayBuffer()),
  }
}

/** A browser without cookies. */
export const NOBODY: Pick<Browser, 'jar'> = { jar: new Map() }
