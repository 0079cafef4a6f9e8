import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'
import { newProtocolClient } from '../harness/clients/protocol.ts'
import { showCard, type ShownCard } from './harness/card_host.ts'
import { inBrowser, launch, openPage } from './harness/launch.ts'

const HOSTILE = '<img src=x onerror="parent.hacked=1"><script>1</script>'

let service: TestService
let browser: Browser
let company: Company
let customer: Result

const ask = (query = '?ui=1') => newProtocolClient(service.url + query, company.owner.key).handshake
const htmlOf = async (card: string): Promise<string> =>
  (await ask()('resources/read', { uri: `ui://callout/${card}` })).result!['contents'][0].text as string
const resultOf = async (name: string, given: object) =>
  (await ask()('tools/call', { name, arguments: given })).result as Parameters<ShownCard['tell']>[0]

/** Shows a card with a result in both themes. Asserts that it loads nothing and logs no errors. */
async function assertCard(
  card: string,
  result: Parameters<ShownCard['tell']>[0],
  check: (one: ShownCard) => Promise<void>,
) {
  for (const theme of ['light', 'dark'] as const) {
    const { page, complaints, close } = await openPage(browser, { viewport: { width: 620, height: 700 } })
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(request.url()))
    const one = await showCard(page, await htmlOf(card), theme)
    await one.tell(result)
    await one.frame.locator('main > *').first().waitFor()
    await check(one)
    const paper = await one.frame.evaluate(`getComputedStyle(document.body).backgroundColor`)
    assert.equal(paper, theme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(28, 29, 31)')
    await one.wear(theme === 'light' ? 'dark' : 'light')
    await one.frame.locator(`html[data-theme=${theme === 'light' ? 'dark' : 'light'}]`).waitFor()
    assert.ok((await one.height) > 0)
    assert.deepEqual(
      loaded.filter((url) => !url.startsWith('about:')),
      [],
    )
    assert.deepEqual(complaints, [])
    assert.deepEqual(await one.close(), {})
    await close()
  }
}
const textOf = (one: ShownCard): Promise<string> => one.frame.locator('main').innerText()

inBrowser('a card in an MCP Apps host', () => {
  before(async () => {
    service = await startTestService()
    browser = await launch()
    company = await makeCompany(service)
    customer = await company.call('customers_create', {
      customer_type: 'individual',
      first_name: 'Ana',
      last_name: HOSTILE,
      locations: [{ address_line1: '1 Pier Rd' }],
    })
  })
  after(async () => {
    await browser.close()
    await service.stop()
  })

  it("shows an invoice from the tool's result, and opens its page through the host", async () => {
    const result = await resultOf('invoices_create', {
      customer_id: customer['id'],
      subject: 'Boiler',
      line_items: [
        { name: 'Labor', quantity: 2, unit_price_cents: 13_500 },
        { name: HOSTILE, unit_price_cents: 4_250 },
      ],
    })
    const invoice = JSON.parse((result.content[0] as { text: string }).text) as Result
    await assertCard('invoice', result, async (one) => {
      const text = await textOf(one)
      for (const part of [`Invoice ${invoice['display_number']}`, 'Draft', 'Boiler', HOSTILE, '$270.00', '$312.50'])
        assert.ok(text.includes(part), `${part} in ${text}`)
      await one.frame.getByRole('button', { name: 'Open' }).click()
      assert.equal(await one.link, invoice['url'])
      assert.equal(await one.frame.evaluate('document.images.length'), 0)
    })
  })

  it('shows a quote with its discount', async () => {
    const result = await resultOf('quotes_create', {
      customer_id: customer['id'],
      title: 'New heater',
      discount: { type: 'percent', value: 10 },
      line_items: [{ name: 'Heater', unit_price_cents: 100_000 }],
    })
    await assertCard('quote', result, async (one) => {
      const text = await textOf(one)
      for (const part of ['Quote Q-', 'New heater', 'Discount', '-$100.00', 'Total', '$900.00'])
        assert.ok(text.includes(part), `${part} in ${text}`)
    })
  })

  it("shows visits by day in the company's time zone, and visits without a time", async () => {
    const job = (title: string, more: object = {}) =>
      company.call('jobs_create', { customer_id: customer['id'], title, ...more })
    await job('Pump', { scheduled_start: '2027-03-02T09:00', assignees: [company.owner.id] })
    await job('Some day')
    await assertCard('day', await resultOf('jobs_list', {}), async (one) => {
      const text = (await textOf(one)).replaceAll(/[\u00A0\u202F]/g, ' ').replaceAll('\u2060', '')
      for (const part of [
        'Tue, Mar 2, 2027',
        '9:00 – 10:00 AM',
        'Pump',
        '1 Pier Rd',
        'Test owner',
        'Not scheduled',
        'Some day',
        'Unassigned',
      ])
        assert.ok(text.includes(part), `${part} in ${text}`)
    })
  })

  it('shows a tool error, and a message for a result of another kind', async () => {
    await assertCard('invoice', await resultOf('invoices_get', { id: customer['id'] }), async (one) => {
      assert.match(await textOf(one), /^not_found: /)
    })
    await assertCard('quote', { content: [{ type: 'text', text: '{"id":1}' }] }, async (one) => {
      assert.equal(await textOf(one), 'This result has no card.')
    })
  })

  it('shows a pending change with old and new values, and links to the approval page', async () => {
    const { key } = await company.member('owner', { proposes: ['write:customers', 'write:invoices'] })
    const asking = newProtocolClient(`${service.url}?ui=1`, key).handshake
    const callTool = async (name: string, given: object) =>
      (await asking('tools/call', { name, arguments: given })).result as Parameters<ShownCard['tell']>[0]
    const changed = await callTool('customers_update', { id: customer['id'], first_name: 'Anabel' })
    await assertCard('approval', changed, async (one) => {
      const text = await textOf(one)
      for (const part of ['Update a customer', 'Waiting for approval', HOSTILE, 'First name', 'Ana', 'Anabel', '→'])
        assert.ok(text.includes(part), `${part} in ${text}`)
      assert.deepEqual(await one.frame.getByRole('button').allInnerTexts(), ['Open the page to decide'])
      await one.frame.getByRole('button').click()
      assert.match(await one.link, /^http\S+\/proposals\/[0-9a-f-]{36}$/)
      assert.equal(await one.frame.evaluate('document.images.length'), 0)
    })
    const invoice = await callTool('invoices_create', {
      customer_id: customer['id'],
      line_items: [{ name: 'Labor', quantity: 2, unit_price_cents: 13_500 }],
    })
    await assertCard('invoice', invoice, async (one) => {
      const text = await textOf(one)
      for (const part of ['Waiting for approval', 'Total $270.00', 'Nothing happens until someone approves it'])
        assert.ok(text.includes(part), `${part} in ${text}`)
    })
  })

  it('shows Done when the connection may act without approval', async () => {
    const result = await resultOf('customers_update', { id: customer['id'], first_name: 'Ada' })
    await assertCard('approval', result, async (one) => {
      assert.match(await textOf(one), /^Done\s+Ada /)
    })
  })
})
