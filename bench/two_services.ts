import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { after, before, it } from 'node:test'
import { createKey } from '../src/identity/credentials/keys.ts'
import { SCOPES } from '../src/identity/permissions/scopes.ts'
import { connectPaymentAccount } from '../src/payments/accounts.ts'
import { readTenant, sql } from '../src/platform/db/tenant.ts'
import { providerOf } from '../test/harness/clients/webhook_calls.ts'
import { openEventStream } from '../test/harness/event_stream.ts'
import { rpc, toolHeaders } from '../test/harness/http.ts'
import { openOffice, type Office } from '../test/harness/identity/people_pages.ts'
import { describeWithNginx, ORIGIN } from '../test/harness/processes/nginx.ts'
import { openSite } from '../test/deploy/site.ts'

// node bench/two_services.ts: two services behind nginx, of which one is killed and the other restarted while agents, pages,
// uploads, payments, bookings and an open schedule continue. Fails if something acknowledged is missing or duplicated.
const COMPANIES = 2
/** Agents of each company; each has a key of its own and one call under way. */
const AGENTS = Number(process.env['AGENTS'] ?? 20)
const DAY = '2027-05-12'

type Company = Office & { customerId: string; jobId: string; invoiceId: string; keys: string[] }

describeWithNginx('work under way while one of two services is killed, and the other restarted', () => {
  let site: Awaited<ReturnType<typeof openSite>>
  let companies: Company[]
  before(async () => {
    site = await openSite({ RATE_LIMIT_PER_CREDENTIAL: '0', RATE_LIMIT_PER_TENANT: '0' })
    companies = []
    for (let i = 0; i < COMPANIES; i++) companies.push(await openCompany(`Company ${i}`))
  })
  after(() => site.close())

  async function openCompany(name: string): Promise<Company> {
    const office = await openOffice(site.service, name)
    await connectPaymentAccount(site.service.database, null, office.id, `acct_${office.id}`)
    const { id: customer_id } = await office.customer('Ana')
    const job = await office.call('jobs_create', { customer_id, title: 'Photos' })
    const line_items = [{ name: 'x', unit_price_cents: 1_000_000 }]
    const invoice = await office.call('invoices_create', { customer_id, line_items })
    const keys: string[] = []
    while (keys.length <= AGENTS) {
      const options = { user: office.owner.user_id, name: 'Agent', scopes: SCOPES, expires_at: null }
      keys.push((await createKey(site.service.database, { tenant: office.id }, options)).key)
    }
    const ids = { customerId: String(customer_id), jobId: String(job['id']), invoiceId: String(invoice['id']) }
    return { ...office, ...ids, keys }
  }

  const steps = new EventEmitter()
  const over = new AbortController()
  /** Names whose writes were acknowledged, and names whose outcome is unknown because nginx answered 502. */
  const [acknowledged, unknown] = [new Set<string>(), new Set<string>()]
  const countLost = { posts: 0 }

  function acknowledge(name: string): void {
    acknowledged.add(name)
    steps.emit('acknowledged')
  }

  /** Waits until this many more writes are acknowledged. */
  async function progress(count: number): Promise<void> {
    for (const end = acknowledged.size + count; acknowledged.size < end;) await once(steps, 'acknowledged')
  }

  /** Repeats a request until the answer isn't a request to retry. Returns the answer, or null for 502, after which the outcome is unknown. */
  async function answerTo(send: () => Promise<{ status: number; text: string }>): Promise<string | null> {
    for (;;) {
      const { status, text } = await send()
      if (status === 502) {
        countLost.posts++
        return null
      }
      if (status !== 503 && !text.includes('ingest_failed')) {
        assert.ok(status < 400, `${status} ${text}`)
        return text
      }
    }
  }

  /** Calls a tool. Returns its result, or null if the outcome is unknown. */
  async function call(key: string, name: string, args: object): Promise<Record<string, string> | null> {
    const text = await answerTo(async () => {
      const body = rpc('tools/call', { name, arguments: args })
      const response = await fetch(site.service.url, { method: 'POST', headers: toolHeaders(key), body })
      return { status: response.status, text: await response.text() }
    })
    if (text === null) return null
    const { result } = JSON.parse(text) as { result: { isError: boolean; content: { text: string }[] } }
    assert.equal(result.isError, false, text)
    return JSON.parse(result.content[0]!.text) as Record<string, string>
  }

  /** Creates customers one after the other: with idempotency keys each until it is acknowledged, else each once. */
  async function runAgent(key: string, agent: string, isKeyed: boolean): Promise<void> {
    for (let i = 0; !over.signal.aborted; i++) {
      const name = `${agent} ${i}`
      const args = { customer_type: 'company', company_name: name, ...(isKeyed && { idempotency_key: name }) }
      for (;;) {
        const isDone = (await call(key, 'customers_create', args)) !== null
        if (isDone) acknowledge(name)
        else if (!isKeyed) unknown.add(name)
        if (isDone || !isKeyed) break
      }
    }
  }

  /** Reads pages. Each must answer 200 or 503. */
  async function readPages({ browser, at, jobId }: Company): Promise<void> {
    for (let i = 0; !over.signal.aborted; i++) {
      const { status } = await browser.get(i % 2 === 0 ? at('customers') : at('jobs', jobId))
      assert.ok([200, 503].includes(status), String(status))
    }
  }

  /** Uploads files to a job, each once. Returns the texts of the acknowledged ones by name. */
  async function upload({ browser, at, jobId }: Company, texts: Map<string, string>): Promise<void> {
    for (let i = 0; !over.signal.aborted; i++) {
      const [name, text] = [`file ${i}.txt`, `${i}\n`.repeat(100_000)]
      const body = new FormData()
      body.append('files', new Blob([text], { type: 'text/plain' }), name)
      const headers = { origin: ORIGIN, 'sec-fetch-site': 'same-origin' }
      const sent = await answerTo(() =>
        browser.send(at('jobs', jobId, 'media'), { method: 'POST', body: body as never, headers }),
      )
      if (sent !== null) texts.set(name, text)
    }
  }

  /** Sends payments of one cent, each until it is acknowledged, as the provider does. Returns how many. */
  async function pay({ id, invoiceId }: Company): Promise<number> {
    const provider = providerOf(site.service)
    let count = 0
    for (; !over.signal.aborted; count++) {
      const object = { id: `ch_${id}_${count}`, amount: 1, currency: 'usd', metadata: { invoice_id: invoiceId } }
      const event = { id: `evt_${id}_${count}`, type: 'charge.succeeded', account: `acct_${id}`, data: { object } }
      while ((await answerTo(() => provider.event(event))) === null);
    }
    return count
  }

  /** Books visits of a day, each once. */
  async function book({ customerId, keys }: Company): Promise<string[]> {
    const booked: string[] = []
    while (!over.signal.aborted) {
      const args = { customer_id: customerId, title: 'Visit', scheduled_start: `${DAY}T09:00` }
      const job = await call(keys[AGENTS]!, 'jobs_create', args)
      if (job !== null) booked.push(job['id']!)
    }
    return booked
  }

  /** Follows the schedule of the day as a browser does, which opens the stream again where it ended. */
  function follow({ browser, at }: Company) {
    const seen = new Set<string>()
    const closing = new AbortController()
    let [opened, last] = [0, '']
    const since = encodeURIComponent(new Date().toISOString())
    const run = async (): Promise<void> => {
      while (!closing.signal.aborted) {
        const headers: Record<string, string> = last === '' ? {} : { 'last-event-id': last }
        const stream = await openEventStream(ORIGIN, browser, at(`schedule/events?day=${DAY}&since=${since}`), headers)
        if (stream.status === 503) continue
        assert.equal(stream.status, 200)
        opened++
        closing.signal.addEventListener('abort', () => void stream.close().catch(() => {}))
        try {
          for (;;) {
            const [, id, data] = await stream.until(/id: (.*)\nevent: change\ndata: (.*)\n\n/)
            last = id!
            for (const job of (JSON.parse(data!) as { here: string[] }).here) seen.add(job)
            steps.emit('seen')
          }
        } catch {
          // The stream ended: the service was killed or is stopping.
        }
      }
    }
    const running = run()
    return {
      countOpened: () => opened,
      until: async (jobs: readonly string[]): Promise<void> => {
        while (!jobs.every((job) => seen.has(job))) await once(steps, 'seen')
      },
      close: async (): Promise<void> => {
        closing.abort()
        await running
      },
    }
  }

  /** Kills one service and starts it again, then restarts the other, with work before and after. */
  async function trouble(): Promise<void> {
    await progress(100)
    site.services[0].child.kill('SIGKILL')
    await progress(100)
    await site.start(0)
    await progress(100)
    assert.equal(await site.services[1].stop(), 0)
    await progress(100)
    await site.start(1)
    await progress(100)
  }

  it('loses nothing that was acknowledged, and only answers that were in progress', async (test) => {
    const [first] = companies as [Company]
    const stream = follow(first)
    test.after(() => stream.close())
    const texts = new Map<string, string>()
    const agents = companies.flatMap(({ keys }, c) =>
      keys.slice(1).map((key, a) => runAgent(key, `Agent ${c} ${a}`, a % 2 === 0)),
    )
    const paying = companies.map(pay)
    const booking = book(first)
    const work = Promise.all([...agents, ...paying, booking, ...companies.map(readPages), upload(first, texts)])
    try {
      await Promise.race([work, trouble()])
    } finally {
      over.abort()
      await work
    }

    const lines = await site.listRequests()
    const faults = lines.filter(({ status }) => status >= 500)
    // A busy service answers 503, or 500 to a provider of payments, who sends again.
    const [lost, late] = [faults.filter(({ status }) => status === 502), faults.filter(({ status }) => status !== 502)]
    for (const one of late)
      assert.equal(one.statuses.at(-1), one.path.startsWith('/api/webhooks/') ? '500' : '503', JSON.stringify(one))
    for (const { method, by } of lost) assert.deepEqual([method, by.at(-1)], ['POST', `127.0.0.1:${site.ports[0]}`])
    assert.equal(lost.length, countLost.posts)
    assert.ok(lost.length <= agents.length + paying.length + 2, String(lost.length))
    assert.deepEqual(new Set(lines.flatMap(({ by }) => by).filter((by) => by !== '')).size, 2)

    const counts = new Map<string, number>()
    for (const { id } of companies) {
      const rows = await readTenant(site.service.database, { tenant: id }, (db) =>
        db.all<{ name: string; count: number }>(sql`select company_name as name, count(*)::int as count from customers
          where tenant_id = ${db.tenant} and company_name like 'Agent %' group by company_name`),
      )
      for (const { name, count } of rows) counts.set(name, count)
    }
    assert.deepEqual(
      [...acknowledged].filter((name) => counts.get(name) !== 1),
      [],
    )
    assert.deepEqual(
      [...counts].filter(([name, count]) => !acknowledged.has(name) && !(unknown.has(name) && count === 1)),
      [],
    )

    await stream.until(await booking)
    assert.ok(stream.countOpened() >= 2)

    const { media } = (await first.call('jobs_get', { id: first.jobId })) as {
      media: { id: string; file_name: string }[]
    }
    for (const [name, text] of texts) {
      const [file, ...more] = media.filter(({ file_name }) => file_name === name)
      assert.deepEqual(more, [])
      assert.ok((await first.browser.get(first.at('jobs', first.jobId, 'media', file!.id))).text === text, name)
    }

    for (const [i, count] of (await Promise.all(paying)).entries())
      while (
        (await companies[i]!.call('invoices_get', { id: companies[i]!.invoiceId }))['amount_paid_cents'] !== count
      );
    test.diagnostic(
      `${acknowledged.size} creates acknowledged, ${lost.length} answers lost, ${late.length} requests asked to retry`,
    )
  })
})
