import { newId } from '../../src/platform/validation/id.ts'
import { FILES } from '../../test/harness/files/files.ts'
import { crawl, type Crawled } from './crawl.ts'
import { ENTERED_BY_HAND, formsByHand } from './forms_by_hand.ts'
import type { Office } from './office.ts'
import { outfit, type Outfit } from './outfit.ts'
import { EMPTY, JSON_TYPE, formSent, large, type Target } from './requests.ts'
import { pageRoutes, routeFinder, type Route } from './routes.ts'

type Cookie = () => string
const ANYBODY: Cookie = () => ''

/** Addresses that aren't opened in the crawl: their answers are slow or endless, and link to nothing. */
const TERMINAL_PATHS = /\/pdf$|\.csv$|\/print$/
/** Forms whose work continues after the answer, or in slices between which other requests are answered. */
const BACKGROUND = /\/data$/
/** Forms that end a record or a session that other requests need. They come last. */
const ENDING =
  /\/(erase|merge|do\/\w+_(archive|cancel|delete|end|void)|leave|sign-out\w*|sign-ins|reset-factors|remove|deactivate|take-back|back)$|settings\/(members|keys|clients|apps|provider)\b/

/**
 * Returns every page of the largest records and every form of those pages, as their person opens and sends them, and what
 * scripts and mail programs send. What ends a record or a session comes last.
 */
export async function pageTargets(
  office: Office,
  records: ReadonlyMap<string, string>,
): Promise<{ lasting: Target[]; ending: Target[] }> {
  const more = await outfit(office, records)
  const routes = pageRoutes(office)
  const find = routeFinder(routes)
  const [owner, anybody] = [
    await crawl(office, {
      routes,
      start: startOf(office, records, routes, more),
      cookie: office.cookie(),
      terminalPaths: TERMINAL_PATHS,
    }),
    await crawl(office, { routes, start: more.anybody, cookie: '', terminalPaths: TERMINAL_PATHS }),
  ]
  const pages = [...owner.pages].map((path) => read(path, office.cookie))
  const shared = [...anybody.pages].map((path) => read(path, ANYBODY))
  const byHand = await formsByHand(office, records, more)
  const routesByHand = new Set(byHand.map(({ path }) => find('POST', path)))
  const listWrites = ({ forms }: Crawled, cookie: Cookie): Target[] =>
    [...forms]
      .filter(([route]) => !routesByHand.has(route))
      .map(([, { path, fields }]) => write(path, enterByHand(path, fields), cookie))
  const open = { ...anybody, forms: new Map([...anybody.forms].filter(([route]) => !owner.forms.has(route))) }
  const forms = [
    ...listWrites(owner, office.cookie),
    ...listWrites(open, ANYBODY),
    ...byHand.map(({ path, fields, isOpen = false }) => write(path, fields, isOpen ? ANYBODY : office.cookie)),
  ]
  const { ending = [], lasting = [] } = Object.groupBy(forms, ({ name }) =>
    ENDING.test(name.replace(', large', '')) ? 'ending' : 'lasting',
  )
  const { first = [], then = [] } = Object.groupBy(lasting, ({ name }) => (EDIT.test(name) ? 'first' : 'then'))
  return { lasting: [...first, ...pages, ...shared, ...scripts(office), ...then], ending }
}

/** Forms with the version of their record, which become stale when the record changes. */
const EDIT = /\/edit, large$/

/** Returns a form with what a person enters by hand. */
function enterByHand(path: string, fields: readonly [string, string][]): [string, string][] {
  const valuesByHand = Object.assign(
    {},
    ...ENTERED_BY_HAND.filter(([ending]) => ending.test(path)).map(([, more]) => more),
  ) as Record<string, string>
  return [...fields.filter(([name]) => !(name in valuesByHand)), ...Object.entries(valuesByHand)]
}

/** Returns the addresses that the owner begins with: the pages of the largest records, and of smaller ones where there is none. */
function startOf(
  office: Office,
  records: ReadonlyMap<string, string>,
  routes: readonly Route[],
  { owner }: Outfit,
): string[] {
  const patterns = [
    ...new Set(
      routes
        .filter(({ method, pattern }) => method === 'GET' && !/^\/(?:c|unsubscribe)\//.test(pattern))
        .map(({ pattern }) => pattern),
    ),
  ]
  const customer = `?customer_id=${records.get('customers')!}`
  const paths = [
    ...patterns.flatMap((one) => office.pathsOf(one, records)),
    ...patterns.flatMap((one) => office.pathsOf(one)),
  ]
  return [...owner, ...paths.map((path) => (/\/new$|\.csv$/.test(path) ? path + customer : path))]
}

const nameless = (path: string): string =>
  path
    .replaceAll(/[0-9a-f-]{36}/g, '…')
    .replace(/^\/(c|unsubscribe)\/[^/?]+/, '/$1/…')
    .replace(/\?.*/, '?…')

const read = (path: string, cookie: Cookie): Target =>
  large(`GET ${nameless(path)}`, () => ({
    path,
    headers: { cookie: cookie(), 'accept-encoding': 'gzip' },
    body: EMPTY,
  }))

const write = (path: string, fields: readonly [string, string][], cookie: Cookie): Target => {
  const body = Buffer.from(new URLSearchParams([...fields]).toString())
  return large(`POST ${nameless(path)}`, () => formSent(path, body, cookie()), { isBackground: BACKGROUND.test(path) })
}

/** Subscription of a browser, with the key of RFC 8291, appendix A. */
const SUBSCRIPTION = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  kinds: ['visits', 'messages', 'quotes', 'late'],
}

/** Returns the requests of page scripts: part of a photo, a push subscription, and passkey options. */
function scripts(office: Office): Target[] {
  const ours = (): Record<string, string> => ({ 'sec-fetch-site': 'same-origin', cookie: office.cookie() })
  const image = FILES['image/png']!
  return [
    large('PUT /field/…/photos/…', () => ({
      path: `/field/${office.tenant}/photos/${newId()}?from=0`,
      method: 'PUT',
      headers: { ...ours(), 'content-type': 'application/octet-stream' },
      body: image,
    })),
    large('PUT /field/…/push', () => ({
      path: `/field/${office.tenant}/push`,
      method: 'PUT',
      headers: { ...ours(), ...JSON_TYPE },
      body: Buffer.from(JSON.stringify({ ...SUBSCRIPTION, endpoint: `https://push.invalid/${newId()}` })),
    })),
    large('POST /passkeys/options', () => ({
      path: '/passkeys/options',
      headers: { ...ours(), ...JSON_TYPE },
      body: Buffer.from(JSON.stringify({ for: 'sign_in' })),
    })),
  ]
}
