import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/platform/db/tenant.ts'
import { pageTextOf, submit } from '../harness/identity/people_pages.ts'
import { startAnswering, type Answering } from './answering.ts'
import { fieldValueOf } from './portal_scene.ts'

let set: Answering
let { accept, acceptances, statusOf } = {} as Answering
before(async () => {
  set = await startAnswering()
  ;({ accept, acceptances, statusOf } = set)
})
after(() => set.service.stop())

describe('the quote link', () => {
  it('shows the same lines and totals as the print view, with noindex and no-referrer headers', async () => {
    const { path, quote } = await set.quoteLink()
    const page = await set.browser().get(path)
    assert.equal(page.status, 200)
    const paper = (text: string): string => /<table class="paper-lines">[^]*?<\/dl>/.exec(text)![0]
    const ours = await set.office.browser.get(set.office.at('quotes', quote['id'], 'print'))
    assert.equal(paper(page.text), paper(ours.text))
    for (const part of ['Acme Plumbing', 'New water heater', 'Maria Lopez', 'Paid on the day.', '$185.18'])
      assert.ok(pageTextOf(page).includes(part), part)
    assert.deepEqual(
      ['referrer-policy', 'x-robots-tag', 'cache-control', 'x-frame-options'].map((name) => page.headers.get(name)),
      ['no-referrer', 'noindex, nofollow, noarchive', 'no-store', 'DENY'],
    )
    assert.match(
      page.headers.get('content-security-policy')!,
      /default-src 'none'.*script-src 'self'.*form-action 'self'/,
    )
    assert.match(page.text, /<meta name="robots" content="noindex/)
    assert.doesNotMatch(page.text, new RegExp(`${set.office.id}|${String(quote['id'])}|${set.office.owner.user_id}`))
  })

  it('offers the quote as a PDF', async () => {
    const { path } = await set.quoteLink()
    const { headers, text } = await set.browser().get(`${path}/pdf`)
    assert.equal(headers.get('content-type'), 'application/pdf')
    assert.match(headers.get('content-disposition')!, /^attachment; filename="Q-\d+\.pdf"/)
    assert.ok(text.startsWith('%PDF-'))
    const head = await set.browser().send(`${path}/pdf`, { method: 'HEAD' })
    assert.deepEqual([head.status, head.headers.get('x-robots-tag')], [200, 'noindex, nofollow, noarchive'])
  })
})

describe('a quote that changed after its link was created', () => {
  const updateQuote = (id: unknown, patch: object): Promise<unknown> =>
    set.office.call('quotes_update', { id, ...patch })

  const CASES: [name: string, change: (id: string) => Promise<unknown>, words: RegExp][] = [
    [
      'changed and sent again',
      async (id) => {
        await updateQuote(id, { status: 'draft' })
        await updateQuote(id, { line_items: [{ name: 'Dearer', unit_price_cents: 99_999 }] })
        await updateQuote(id, { status: 'sent' })
      },
      /There is a newer version of this quote.*Ask Acme Plumbing for a new one/,
    ],
    [
      'being changed',
      (id) => updateQuote(id, { status: 'draft', title: undefined }),
      /Acme Plumbing is changing this quote/,
    ],
    ['expired', (id) => updateQuote(id, { status: 'expired' }), /This quote was valid until/],
    [
      'over by its date alone',
      (id) => updateQuote(id, { valid_until: '2026-01-01' }),
      /This quote was valid until Thu, Jan 1, 2026/,
    ],
    ['declined', (id) => updateQuote(id, { status: 'declined' }), /This quote was declined/],
    ['accepted by the company', (id) => updateQuote(id, { status: 'accepted' }), /This quote was accepted on/],
    [
      'made into an invoice',
      (id) => set.office.call('invoices_create', { customer_id: set.customer['id'], from_quote_id: id }),
      /Work on this quote has started/,
    ],
    ['archived', (id) => set.office.call('quotes_archive', { id }), /This quote was withdrawn/],
  ]
  for (const [name, change, words] of CASES) {
    it(`and was ${name} returns 409 on acceptance, and says why`, async () => {
      const { path, quote } = await set.quoteLink()
      const browser = set.browser()
      const shown = fieldValueOf((await browser.get(`${path}/accept`)).text, 'shown')
      await change(quote['id'])
      const refused = await browser.post(`${path}/accept`, { shown, name: 'Maria Lopez' })
      assert.equal(refused.status, 409)
      assert.match(pageTextOf(refused), words)
      assert.equal((await browser.post(`${path}/decline`, { shown, reason: '' })).status, 409)
      assert.deepEqual(await acceptances(quote['id']), [])
      const page = pageTextOf(await browser.get(path))
      assert.match(page, words)
      assert.doesNotMatch(page, /Dearer|999\.99/)
    })
  }

  it('shows the sent version, and can be accepted when that version is sent again', async () => {
    const { path, quote } = await set.quoteLink()
    const { id } = quote as { id: string }
    await updateQuote(id, { status: 'draft' })
    await updateQuote(id, { title: 'Dearer heater' })
    assert.ok(pageTextOf(await set.browser().get(path)).includes('New water heater'))
    await updateQuote(id, { title: 'New water heater' })
    await updateQuote(id, { status: 'sent' })
    assert.equal((await accept(path)).status, 303)
    assert.equal(await statusOf(id), 'accepted')
  })

  it('hides the old signature when the company accepts a changed version', async () => {
    const { path, quote } = await set.quoteLink()
    const { id } = quote as { id: string }
    assert.equal((await accept(path)).status, 303)
    await updateQuote(id, { status: 'declined' })
    await updateQuote(id, { status: 'draft' })
    await updateQuote(id, { line_items: [{ name: 'Water heater', quantity: 1, unit_price_cents: 99_999 }] })
    await updateQuote(id, { status: 'accepted' })
    assert.equal((await acceptances(id)).length, 1)
    const page = pageTextOf(await set.browser().get(path))
    assert.match(page, /There is a newer version of this quote/)
    assert.doesNotMatch(page, /Accepted by the customer|was accepted on/)
    const ours = pageTextOf(await set.office.browser.get(set.office.at('quotes', id)))
    assert.doesNotMatch(ours, /Accepted by the customer/)
    assert.match(ours, /Maria Lopez accepted it using the link/)
  })

  it('is the same version after its validity or message changes', async () => {
    const { path, quote } = await set.quoteLink()
    await updateQuote(quote['id'], { valid_until: '2099-01-01', message: 'Take your time' })
    const page = pageTextOf(await set.browser().get(path))
    assert.match(page, /Take your time/)
    assert.match(page, /2099/)
    assert.equal((await accept(path)).status, 303)
  })
})

describe('a quote with a deposit', () => {
  it('shows it before acceptance, then issues its invoice, payable through the same link', async () => {
    const { id } = (await set.quote({}, 'draft')) as { id: string }
    const asked = await set.office.browser.get(set.office.at('quotes', id, 'do', 'quotes_ask_deposit'))
    assert.equal(asked.status, 200)
    const { status } = await submit(set.office.browser, set.office.at('quotes', id, 'do', 'quotes_ask_deposit'), {
      'deposit.value': '25',
    })
    assert.equal(status, 303)
    await set.office.call('quotes_update', { id, status: 'sent' })
    const path = await set.issue({ kind: 'quotes', id })
    for (const step of ['', '/accept'])
      assert.match(pageTextOf(await set.browser().get(path + step)), /A deposit of \$46\.30 is due when you accept\./)
    assert.equal((await accept(path)).status, 303)
    const [kept] = await acceptances(id)
    assert.equal((kept!.content as { deposit_cents: number }).deposit_cents, 4_630)
    const [invoice, ...others] = await set.all<{ id: string; status: string; total_cents: number }>(
      sql`select id, status, total_cents from invoices where deposit_of = ${id}`,
    )
    assert.deepEqual([invoice!.status, invoice!.total_cents, others], ['sent', 4_630, []])
    const page = await set.browser().get(path)
    assert.match(pageTextOf(page), /Pay the deposit/)
    assert.ok(page.text.includes(`href="${path}/invoices/${invoice!.id}"`))
    const bill = pageTextOf(await set.browser().get(`${path}/invoices/${invoice!.id}`))
    assert.match(bill, /\$46\.30.*To pay, please contact Acme Plumbing/)
    assert.equal((await set.browser().get(`${path}/invoices/${invoice!.id}/pdf`)).status, 200)
    assert.match(
      pageTextOf(await set.office.browser.get(set.office.at('invoices', invoice!.id))),
      /Maria Lopez accepted the quote, which issued it/,
    )
    const { id: another } = await set.invoice()
    for (const step of ['', '/pdf', '/question'])
      assert.equal((await set.browser().get(`${path}/invoices/${another}${step}`)).status, 404, step)
    assert.equal((await set.browser().post(`${path}/invoices/${another}/pay`, {})).status, 404)
  })

  it('gets a draft invoice when the company accepts; the link hides it until it is sent', async () => {
    const { id } = (await set.quote({}, 'draft')) as { id: string }
    await submit(set.office.browser, set.office.at('quotes', id, 'do', 'quotes_ask_deposit'), { 'deposit.value': '25' })
    await set.office.call('quotes_update', { id, status: 'sent' })
    const path = await set.issue({ kind: 'quotes', id })
    await set.office.call('quotes_update', { id, status: 'accepted' })
    const [invoice] = await set.all<{ id: string; status: string }>(
      sql`select id, status from invoices where deposit_of = ${id}`,
    )
    assert.equal(invoice!.status, 'draft')
    assert.doesNotMatch(pageTextOf(await set.browser().get(path)), /Pay the deposit/)
    assert.equal((await set.browser().get(`${path}/invoices/${invoice!.id}`)).status, 404)
    await set.office.call('invoices_update', { id: invoice!.id, status: 'sent' })
    assert.match(pageTextOf(await set.browser().get(path)), /Pay the deposit/)
  })

  it('is a newer version when a deposit is added', async () => {
    const { path, quote } = await set.quoteLink()
    const { id } = quote as { id: string }
    await set.office.call('quotes_update', { id, status: 'draft' })
    await submit(set.office.browser, set.office.at('quotes', id, 'do', 'quotes_ask_deposit'), { 'deposit.value': '25' })
    await set.office.call('quotes_update', { id, status: 'sent' })
    assert.match(pageTextOf(await set.browser().get(path)), /There is a newer version of this quote/)
    assert.equal((await accept(path)).status, 409)
  })
})
