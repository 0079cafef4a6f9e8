import { Agent, request } from 'node:http'
import { brotliDecompressSync } from 'node:zlib'
import { PROFIT_DIMENSIONS } from '../src/mobile/profit/job_profit.ts'
import { SALES_BY } from '../src/records/invoices/index.ts'
import { startDemoService } from './demo_service.ts'
import { startLargeService } from './large_service.ts'

// Starts the service in a new directory with the demo company, or with `--large` one with 100,000 customers, jobs, quotes,
// invoices and notes, and requests its pages as a browser would. Prints their compressed sizes, and how long the answers take
// on this machine. Fails if a page exceeds a limit.
const REQUESTS = 100
const MAX_BYTES = 16_000
const MAX_MS = 100

const LISTS = [
  'customers',
  'jobs',
  'job_series',
  'quotes',
  'invoices',
  'plans',
  'catalog_items',
  'catalog_categories',
  'tax_rates',
  'notes',
  'tags',
  'messages',
]
const PAGES = ['reports', 'calls/new', 'proposals', 'activity', 'outbox', 'settings/company', 'settings/members']

const YEAR = new Date().getUTCFullYear()

type Answer = { status: number; ms: number; bytes: number; text: string; cookie: string | undefined }
type Page = { name: string; path: string }

const isLarge = process.argv.includes('--large')
const { port, tenant, cookie, stop } = await (isLarge ? startLargeService() : startDemoService())
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
try {
  const pages = await listPages(tenant, cookie)
  const sizes = new Map<string, number>()
  const rows: Record<string, Record<string, number>> = {}
  for (const page of pages)
    rows[page.name] = await measure(page, sizes, page.path === '/' || page.path === '/sign-in' ? '' : cookie)
  console.table(rows)
  const faults = Object.entries(rows).flatMap(([name, row]) => [
    ...(row['first paint']! > MAX_BYTES ? [`${name} needs ${row['first paint']} bytes to paint`] : []),
    ...(row['p95 ms']! > MAX_MS ? [`${name} takes ${row['p95 ms']} ms`] : []),
  ])
  console.log(
    faults.length > 0
      ? faults.join('\n')
      : `Every page needs at most ${MAX_BYTES / 1000} kB to paint, and takes at most ${MAX_MS} ms.`,
  )
  if (faults.length > 0) process.exitCode = 1
} finally {
  agent.destroy()
  await stop()
}

/** Returns the start pages, every list, a record of several kinds, the schedule, reports and forms. */
async function listPages(tenant: string, cookie: string): Promise<Page[]> {
  const at = (...steps: string[]): string => `/${[tenant, ...steps].join('/')}`
  const page = (name: string): Page => ({ name, path: at(...name.split('/')) })
  const nested = await Promise.all(
    ['customers', 'jobs', 'quotes', 'invoices', 'plans'].map(async (name) => {
      const { text } = await ask(at(name), { cookie })
      const id = new RegExp(`/${name}/([0-9a-f-]{36})"`).exec(text)?.[1]
      return id === undefined ? [] : [{ name: `${name}, one record`, path: at(name, id) }]
    }),
  )
  const records = nested.flat()
  const job = records.find(({ path }) => path.includes('/jobs/'))!
  return [
    { name: 'landing', path: '/' },
    { name: 'sign-in', path: '/sign-in' },
    { name: 'home', path: at() },
    ...LISTS.map(page),
    ...records,
    { name: 'done jobs', path: `${at('jobs')}?status=done` },
    { name: 'customers by name', path: `${at('customers')}?query=mara` },
    { name: 'invoices by due date', path: `${at('invoices')}?sort=due_asc` },
    { name: 'search', path: `${at('search')}?q=mara` },
    ...['day', 'week', 'month', 'map'].map((view) => ({
      name: `schedule, ${view}`,
      path: `${at('schedule')}?view=${view}`,
    })),
    { name: 'job form', path: `${job.path}/edit` },
    { name: 'new customer form', path: at('customers', 'new') },
    ...PAGES.map(page),
    { name: 'reports over a year', path: `${at('reports')}?from=${YEAR}-01-01&to=${YEAR}-12-31` },
    ...SALES_BY.map((by) => ({ name: `sales by ${by}`, path: `${at('reports', 'sales')}?by=${by}` })),
    ...PROFIT_DIMENSIONS.map((by) => ({ name: `profit by ${by}`, path: `${at('reports', 'profit')}?by=${by}` })),
    { name: 'how to connect', path: '/docs' },
  ]
}

/** Returns the bytes of a first load, and the times of many answers. */
async function measure(
  { name, path }: Page,
  sizes: Map<string, number>,
  cookie: string,
): Promise<Record<string, number>> {
  const { status, bytes, text } = await ask(path, { cookie })
  if (status !== 200) throw new Error(`${name} answers ${status}`)
  const assets = [...new Set([...text.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, address]) => address!.split('#')[0]!))]
  for (const address of assets) if (!sizes.has(address)) sizes.set(address, (await ask(address, {})).bytes)
  const sizeOf = (end: string): number =>
    assets.filter((address) => address.endsWith(end)).reduce((sum, address) => sum + sizes.get(address)!, 0)
  const took: number[] = []
  for (let i = 0; i < REQUESTS; i++) took.push((await ask(path, { cookie })).ms)
  took.sort((a, b) => a - b)
  return {
    html: bytes,
    style: sizeOf('.css'),
    icon: sizeOf('.svg'),
    'first paint': bytes + sizeOf('.css'),
    script: sizeOf('.js'),
    'p50 ms': round(took[Math.floor(REQUESTS / 2)]!),
    'p95 ms': round(took[Math.ceil(REQUESTS * 0.95) - 1]!),
  }
}

type RequestOptions = { method?: 'GET' | 'POST'; body?: string; cookie?: string; encoding?: string }

/** Returns an answer with its size on the wire. */
function ask(
  path: string,
  { method = 'GET', body, cookie = '', encoding = 'gzip, br' }: RequestOptions,
): Promise<Answer> {
  const headers = {
    host: `localhost:${port}`,
    accept: 'text/html',
    'accept-encoding': encoding,
    'sec-fetch-site': 'same-origin',
    cookie,
    ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
  }
  const begun = performance.now()
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, method, agent, headers }, (res) => {
      const chunks: Buffer[] = []
      res
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('error', reject)
        .on('end', () => {
          const [ms, bytes] = [performance.now() - begun, Buffer.concat(chunks)]
          const unpacked = res.headers['content-encoding'] === 'br' ? brotliDecompressSync(bytes) : bytes
          resolve({
            status: res.statusCode!,
            ms,
            bytes: bytes.length,
            text: unpacked.toString(),
            cookie: res.headers['set-cookie']?.[0]?.split(';')[0],
          })
        })
    })
      .on('error', reject)
      .end(body)
  })
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
