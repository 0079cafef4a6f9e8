import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestService } from '../harness/harness.ts'
import { errorAt, formAt, pageTextOf, submit } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'
import { SENDERS, openScene, type Scene } from './scene.ts'

let service: TestService
let scene: Scene
before(async () => {
  service = await startSite(SENDERS)
  scene = await openScene(service, 'Alder Plumbing')
})
after(() => service.stop())

const words = async (kind: string, query = '?channel=email&language=en'): Promise<Record<string, string>> => {
  const page = scene.at('settings', 'messages', kind)
  return Object.fromEntries(formAt(await scene.browser.get(page + query), page))
}
const press = (kind: string, act: string, typed: Record<string, string> = {}, query = '?channel=email&language=en') =>
  submit(
    scene.browser,
    scene.at('settings', 'messages', kind) + query,
    { ...typed, act },
    scene.at('settings', 'messages', kind),
  )

describe('message templates', () => {
  it('are used for new messages once saved, and can be reset to the default', async () => {
    const usual = await words('invoice_sent')
    const saved = await press('invoice_sent', 'save', {
      subject: 'Your bill {number}',
      body: 'Hello {customer_first_name}! {link}',
    })
    assert.equal(saved.status, 303)
    assert.match(pageTextOf(await scene.browser.get(saved.location!)), /Template saved\. New messages use it/)
    assert.match(
      pageTextOf(await scene.browser.get(scene.at('settings', 'messages'))),
      /Invoice sent When you press Send on an invoice Your template/,
    )
    const dora = await scene.customer('Dora')
    const { id, display_number } = await scene.invoice(dora.id)
    const form = Object.fromEntries(
      formAt(await scene.browser.get(scene.at('invoices', id, 'send')), scene.at('invoices', id, 'send')),
    )
    assert.deepEqual([form['subject'], form['body']], [`Your bill ${display_number}`, 'Hello Dora! {link}'])
    await press('invoice_sent', 'reset')
    assert.deepEqual(await words('invoice_sent'), usual)
    const entries = await scene.entries(scene.id)
    assert.deepEqual(
      entries.filter(({ tool }) => tool === 'companies.set_message').map(({ changed }) => changed['subject']),
      [
        [usual['subject'], 'Your bill {number}'],
        ['Your bill {number}', usual['subject']],
      ],
    )
  })

  it('show how many texts they count as, and which characters add to the count', async () => {
    const page = scene.at('settings', 'messages', 'invoice_sent')
    const preview = async (body: string): Promise<string> =>
      pageTextOf(await scene.browser.post(page, { channel: 'sms', language: 'en', act: 'preview', subject: '', body }))
    assert.match(await preview('Hello'), /Counts as one text\. /)
    assert.match(await preview('a'.repeat(161)), /Counts as 2 texts\. /)
    assert.match(await preview(`It’s ${'a'.repeat(100)}`), /Counts as 2 texts\. It would be fewer without: ’/)
  })

  it('are separate for each channel and language', async () => {
    await press('visit_booked', 'save', { body: 'Nos vemos {visit_day}' }, '?channel=sms&language=es')
    assert.equal((await words('visit_booked', '?channel=sms&language=es'))['body'], 'Nos vemos {visit_day}')
    assert.match((await words('visit_booked', '?channel=sms&language=en'))['body']!, /you are booked/)
  })

  it('are previewed with a real record or an example, without being saved', async () => {
    const before = await words('plan_ending')
    const seen = await press('plan_ending', 'preview', { body: 'Ends {end_date}, {plan_name}' })
    assert.match(pageTextOf(seen), /with an example, because.*Ends \w+ \d+, \d{4}, Maintenance plan/)
    assert.deepEqual(await words('plan_ending'), before)
    const dora = await scene.customer('Nora')
    const { display_number } = await scene.invoice(dora.id)
    assert.match(
      pageTextOf(await press('invoice_due', 'preview', { body: 'Open: {balance}' })),
      new RegExp(`With ${display_number}, Nora Vance\\. .*Open: \\$2,000\\.00`),
    )
  })

  it('can be sent as a test to an entered address', async () => {
    const tested = await press('quote_sent', 'test', { body: 'Total {total}', test_to: 'ana@example.com' })
    assert.match(pageTextOf(tested), /The test is on its way/)
    const test = (await scene.listQueued()).find(({ cause }) => cause === 'test')
    assert.deepEqual([test!.recipient, test!.about_id], ['ana@example.com', null])
    assert.match(test!.body, /^Total \$[\d,.]+$/)
  })

  it('are rejected with an error next to the field', async () => {
    const cases: [string, Record<string, string>, string, RegExp][] = [
      [
        'invoice_sent',
        { subject: 'Bill\nBcc: eve@example.com' },
        'subject',
        /^Remove unusual or invisible characters from this text\.$/,
      ],
      [
        'invoice_sent',
        { subject: 'Pay at {link}' },
        'subject',
        /^There is no placeholder \{link\}\. Use one of these: /,
      ],
      ['invoice_sent', { body: 'Pay {totl}' }, 'body', /^There is no placeholder \{totl\}\. Did you mean \{total\}\?$/],
      [
        'invoice_sent',
        { body: 'See {visit_day}' },
        'body',
        /^There is no placeholder \{visit_day\}\. Use one of these: /,
      ],
      ['invoice_sent', { body: '{'.repeat(3000) }, 'body', /^Use braces only for placeholders, such as \{/],
      [
        'invoice_sent',
        { body: '{number}'.repeat(100) },
        'body',
        /^A message can have up to 40 placeholders\. Remove some\.$/,
      ],
      ['invoice_sent', { body: '  ' }, 'body', /^Enter a message\.$/],
      ['on_my_way', { body: 'x'.repeat(5001) }, 'body', /^The message is too long\. Use at most 5,000 characters\.$/],
    ]
    for (const [kind, typed, field, rule] of cases) {
      const refused = await press(kind, 'save', typed)
      assert.equal(refused.status, 422, JSON.stringify(typed).slice(0, 60))
      assert.match(errorAt(refused, field) ?? '', rule)
    }
    assert.equal((await press('quote_sent', 'test', { test_to: 'a@example.com, b@example.com' })).status, 422)
  })

  it('return 404 to anyone but owners', async () => {
    const { browser } = await scene.signInMember('office')
    for (const page of [['messages'], ['messages', 'quote_sent'], ['reminders'], ['reminders', 'log']])
      assert.equal((await browser.get(scene.at('settings', ...page))).status, 404)
    assert.equal(
      (await browser.post(scene.at('settings', 'messages', 'quote_sent'), { act: 'save', body: 'x' })).status,
      404,
    )
    assert.equal((await browser.post(scene.at('settings', 'reminders'), { visit_on_off: 'yes' })).status, 404)
    assert.equal((await scene.browser.get(scene.at('settings', 'messages', 'nothing'))).status, 404)
  })
})
