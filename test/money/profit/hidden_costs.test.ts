import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createKey } from '../../../src/identity/credentials/keys.ts'
import { SCOPES } from '../../../src/identity/permissions/scopes.ts'
import { newProtocolClient } from '../../harness/clients/protocol.ts'
import { readPdf } from '../../harness/files/pdf.ts'
import { callerOf, type Result, type TestService } from '../../harness/harness.ts'
import { startSite, type Browser } from '../../harness/web_client.ts'
import { openProfit, type ProfitScene } from './scene.ts'

/** Figures that must stay hidden: unit and hourly cost, the job's parts and labor cost, and its profit. */
const PLANTED = { part: 31_337, hour: 71_173, parts: 94_011, labor: 142_346, profit: 463_643 }
const FIGURES = new Map(
  Object.entries(PLANTED).map(([name, cents]) => {
    const decimal = (cents / 100).toFixed(2)
    const grouped = decimal.replace(/\B(?=(\d{3})+\.)/g, ',')
    const forms = [String(cents), decimal, grouped].map((form) => form.replace('.', '[.]')).join('|')
    return [name, new RegExp(`(?<![\\d.,])(?:${forms})(?![\\d])`)]
  }),
)

/** Returns the planted figures in a text, ignoring UUIDs, whose digits could match by chance. */
const figuresIn = (text: string): string[] => {
  const plain = text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '')
  return [...FIGURES].filter(([, figure]) => figure.test(plain)).map(([name]) => name)
}

let service: TestService
let scene: ProfitScene
let job: Result
let item: Result
let kit: Result
let tech: Awaited<ReturnType<ProfitScene['signInMember']>>
let office: Awaited<ReturnType<ProfitScene['signInMember']>>
before(async () => {
  service = await startSite()
  scene = await openProfit(service, 'Alder Plumbing')
  tech = await scene.signInMember('tech', {
    Invoices: 'edit',
    Plans: 'edit',
    'Catalog & pricing': 'edit',
    'Tax rates': 'edit',
  })
  office = await scene.signInMember('office')
  const ann = await scene.customer('Ann')
  item = await scene.call('catalog_items_create', {
    name: 'Valve',
    kind: 'product',
    unit_price_cents: 200_000,
    cost_cents: PLANTED.part,
  })
  kit = await scene.call('catalog_items_create', {
    name: 'Kit',
    kind: 'bundle',
    pricing: 'fixed',
    unit_price_cents: 10_000,
    components: [{ catalog_item_id: item['id'], quantity: 1 }],
  })
  await scene.setRate(tech.user_id, '2026-01-01', '711.73')
  const today = Temporal.Now.plainDateISO('America/New_York')
  job = await scene.call('jobs_create', {
    customer_id: ann['id'],
    title: 'Leak',
    assignees: [tech.user_id],
    scheduled_start: `${today.toString()}T09:00`,
    line_items: [
      { catalog_item_id: item['id'], quantity: 3 },
      { name: 'Labor', unit_price_cents: 100_000 },
    ],
  })
  const end = Temporal.Now.instant().subtract({ minutes: 5 })
  await scene.work(job, tech.user_id, end.subtract({ hours: 2 }).toString(), end.toString())
  await scene.finish(job, end.toString())
  await scene.bill(job)
})
after(() => service.stop())

/** Pages to start from, in addition to linked ones. */
const roads = (): string[] => [
  scene.at(),
  `/field/${scene.id}/day.json`,
  scene.at('settings', 'rates'),
  scene.at('settings', 'data'),
  scene.at('reports', 'profit'),
  ...['month', 'job', 'customer', 'technician', 'service'].flatMap((by) =>
    ['profit', 'profit.csv'].map((page) => `${scene.at('reports', page)}?by=${by}`),
  ),
  ...['', 'print', 'pdf', 'history'].map((page) => scene.at('jobs', String(job['id']), page).replace(/\/$/, '')),
  scene.at('catalog_items', String(item['id'])),
  scene.at('catalog_items', String(kit['id'])),
  scene.at('time'),
]

/** Maximum number of pages per crawl, and of query variants per path. */
const [MAX_PAGES, MAX_QUERIES] = [450, 3]

/** Follows all links and returns the planted figures by page. */
async function walk(browser: Browser): Promise<{ seen: Map<string, string[]>; pages: number }> {
  const [queue, known, byPath] = [roads(), new Set<string>(), new Map<string, number>()]
  const seen = new Map<string, string[]>()
  for (let path = queue.shift(); path !== undefined && known.size < MAX_PAGES; path = queue.shift()) {
    const [bare = ''] = path.split('?')
    const times = byPath.get(bare) ?? 0
    if (known.has(path) || times >= MAX_QUERIES * 4 || (times >= MAX_QUERIES && !bare.includes('profit'))) continue
    known.add(path)
    byPath.set(bare, times + 1)
    const { headers, text, location } = await browser.get(path)
    const isPdf = headers.get('content-type') === 'application/pdf'
    const figures = figuresIn(isPdf ? await pdfText(browser, path) : text)
    if (figures.length > 0) seen.set(path, figures)
    const links = isPdf
      ? []
      : [...text.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))
    queue.push(
      ...[location ?? '', ...links]
        .filter((href) => href.startsWith(`/${scene.id}`))
        .map((href) => href.split('#')[0]!),
    )
  }
  return { seen, pages: known.size }
}

async function pdfText({ jar }: Browser, path: string): Promise<string> {
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(new URL(path, service.config.baseUrl), { headers: { cookie } })
  return (await readPdf(new Uint8Array(await response.arrayBuffer()))).text
}

/** Returns the planted figures in all that an agent can read: lists, records, write results and resources. */
async function readAll(key: string): Promise<Map<string, string[]>> {
  const { send } = callerOf(service.url, key)
  const { handshake } = newProtocolClient(service.url, key)
  const seen = new Map<string, string[]>()
  const note = (name: string, text: string): void => {
    const figures = figuresIn(text)
    if (figures.length > 0) seen.set(name, [...new Set([...(seen.get(name) ?? []), ...figures])])
  }
  const { result } = await handshake('tools/list')
  const tools = (result!['tools'] as { name: string }[]).map(({ name }) => name)
  for (const name of tools.filter((tool) => /_(?:list|search)$/.test(tool))) {
    const { text, isError } = await send(name, name.endsWith('_search') ? { query: 'Ann' } : {})
    note(name, text)
    const get = name.replace(/_(?:list|search)$/, '_get')
    if (isError || !tools.includes(get)) continue
    for (const { id } of (JSON.parse(text) as { rows: { id: string }[] }).rows)
      note(get, (await send(get, { id })).text)
  }
  note(
    'catalog_items_update',
    (await send('catalog_items_update', { id: item['id'], description: key.slice(-6) })).text,
  )
  note('jobs_update', (await send('jobs_update', { id: job['id'], description: key.slice(-6) })).text)
  const month = new Date().toISOString().slice(0, 7)
  const day = new Date().toISOString().slice(0, 10)
  const listed = await handshake('resources/list')
  const templates = await handshake('resources/templates/list')
  const uris = [
    ...(listed.result!['resources'] as { uri: string }[]).map(({ uri }) => uri),
    ...(templates.result!['resourceTemplates'] as { uriTemplate: string }[]).flatMap(({ uriTemplate }) =>
      [job, item, kit].map(({ id }) =>
        uriTemplate
          .replace('{month}', month)
          .replace('{date}', day)
          .replace('{user_id}', tech.user_id)
          .replace(/\{[a-z_]+\}/g, String(id)),
      ),
    ),
  ]
  for (const uri of new Set(uris)) note(uri, JSON.stringify(await handshake('resources/read', { uri })))
  return seen
}

const keyOf = async (user: string | null): Promise<string> =>
  (await createKey(service.database, { tenant: scene.id }, { user, name: 'Agent', scopes: SCOPES, expires_at: null }))
    .key

describe('cost and profit figures', () => {
  it('are all visible to an owner, which proves that the crawl finds them', async (t) => {
    const { seen, pages } = await walk(scene.browser)
    t.diagnostic(`${pages} pages`)
    assert.deepEqual([...new Set([...seen.values()].flat())].toSorted(), Object.keys(PLANTED).toSorted())
    const read = await readAll(await keyOf(scene.owner.user_id))
    assert.deepEqual([...new Set([...read.values()].flat())], ['part'])
  })

  for (const who of ['the office', 'a technician'])
    it(`are hidden from ${who} on every page and in every file`, async (t) => {
      const { seen, pages } = await walk((who === 'the office' ? office : tech).browser)
      t.diagnostic(`${pages} pages`)
      assert.deepEqual([...seen], [])
      assert.ok(pages > 60, String(pages))
    })

  it('are hidden from the API keys of both, and from a company key', async () => {
    for (const user of [office.user_id, tech.user_id, null])
      assert.deepEqual([...(await readAll(await keyOf(user)))], [])
  })

  it("return 404 to members who aren't owners", async () => {
    for (const { browser } of [office, tech]) {
      for (const path of [
        scene.at('reports', 'profit'),
        scene.at('reports', 'profit.csv'),
        scene.at('settings', 'rates'),
      ])
        assert.equal((await browser.get(path)).status, 404, path)
      assert.equal(
        (await browser.post(scene.at('settings', 'rates'), { member: tech.user_id, from_day: '2026-02-01', rate: '1' }))
          .status,
        404,
      )
    }
  })
})
