import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { load } from 'cheerio'
import { readTenant, sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import { MAILBOXES, NUMBERS, addChannel } from '../../../src/messaging/inbox/directory.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import type { TestService } from '../../harness/harness.ts'
import { freshId } from '../../harness/messaging/inbound.ts'
import { formAt, openOffice, pageTextOf, sendForm, submit, type Office } from '../../harness/identity/people_pages.ts'
import { startSite } from '../../harness/web_client.ts'
import { WEBHOOK_ENV, providerOf } from '../../harness/clients/webhook_calls.ts'

const [NUMBER, ADDRESS] = ['+16175550200', 'desk@in.example.com']

let service: TestService
let office: Office
let other: Office
let provider: ReturnType<typeof providerOf>
before(async () => {
  service = await startSite(WEBHOOK_ENV)
  provider = providerOf(service)
  office = await openOffice(service, 'Alder Plumbing')
  other = await openOffice(service, 'North Cleaning')
  await addChannel(service.database, NUMBERS, office.id, NUMBER)
  await addChannel(service.database, MAILBOXES, office.id, ADDRESS)
})
after(() => service.stop())

const text = (From: string, Body: string) =>
  provider.sms('/api/webhooks/sms/inbound-sms', { MessageSid: freshId(), From, To: NUMBER, Body })
const mail = (from: string, subject: string, words: string) =>
  provider.email('/api/webhooks/email/inbound', { from, to: ADDRESS, messageId: freshId('m'), subject, text: words })

const get = (path: string) => office.browser.get(path)
const post = (path: string, fields: [string, string][] = []) => sendForm(office.browser, path, fields)
const withOf = (customer: string): string => office.at('messages', 'with', customer)

/** Returns the names in a conversation list, from the top. */
async function listPeople(query = ''): Promise<string[]> {
  const $ = load((await get(office.at('messages') + query)).text)
  $('.conversations b .count').remove()
  return $('.conversations b')
    .get()
    .map((name) => $(name).text().trim())
}

const idOf = async (name: string, query = ''): Promise<string> => {
  const $ = load((await get(office.at('messages') + query)).text)
  const href = $('.conversations a')
    .filter((_, one) => $(one).text().includes(name))
    .attr('href')!
  if (!href.includes('/with/')) return href.split('/').at(-1)!
  return /messages\/([0-9a-f-]{36})\/assign/.exec((await get(href)).text)![1]!
}

const listSentMessages = (customer: string | null) =>
  readTenant(service.database, { tenant: office.id }, (db) =>
    db.all<{ channel: string; recipient: string; subject: string | null; body: string; in_reply_to: string | null }>(
      sql`select o.channel, o.recipient, m.subject, m.body, m.in_reply_to from outbox o join communications m on m.tenant_id = o.tenant_id and m.id = o.id
        where o.tenant_id = ${db.tenant} and m.customer_id is not distinct from ${customer}::uuid order by o.created_at, o.id`,
    ),
  )

describe('conversations', () => {
  it('are grouped by person across channels, newest first', async () => {
    const { id } = await office.customer('Ada', { phone: '617 555 0201', email: 'ada@example.com' })
    await text('+16175550201', 'Is it today?')
    await text('+16175550202', 'Wrong number?')
    await mail('ada@example.com', 'The boiler', 'It leaks')
    assert.deepEqual(await listPeople(), ['Ada', '(617) 555-0202'])
    const page = pageTextOf(await get(withOf(id)))
    assert.match(page, /Is it today\? .*The boiler .*It leaks/)
    assert.doesNotMatch(page, /Wrong number/)
  })

  it('are listed once per person in the worklist on Today, with a time, excerpt and reply link', async () => {
    const $ = load((await get(office.at())).text)
    const group = $('.work-group').filter((_, one) => $(one).text().includes('Unread messages'))
    assert.equal(group.find('h3 > span').text(), '2')
    const rows = group.find('li').map((_, row) => $(row).text().replace(/\s+/g, ' ').trim())
    assert.match(rows[0] ?? '', /^Ada ?\d+:\d\d [AP]M · The boiler · It leaks ?Reply/)
    assert.match(rows[1] ?? '', /^\(617\) 555-0202 ?\d+:\d\d [AP]M · Wrong number\? ?Reply/)
    const steps = group.find('.button').map((_, step) => step.attribs['href'] ?? '')
    for (const step of steps.get()) assert.equal((await get(step)).status, 200)
  })

  it('show the same message time in the list as in the conversation', async () => {
    await text('+16175550298', 'Written long before it came')
    await writeTenant(service.database, { tenant: office.id }, (db) =>
      db.run(sql`update communications set occurred_at = '2026-01-05T10:00:00Z'
        where tenant_id = ${db.tenant} and body = 'Written long before it came'`),
    )
    const row = load((await get(office.at('messages'))).text)('.conversations li').filter((_, one) =>
      load(one).text().includes('Written long before'),
    )
    const listed = row.find('time').attr('datetime')
    const inside = load((await get(row.find('a').attr('href')!)).text)('.thread time, time')
      .first()
      .attr('datetime')
    assert.equal(new Date(listed!).toISOString(), '2026-01-05T10:00:00.000Z')
    assert.equal(new Date(inside!).toISOString(), new Date(listed!).toISOString())
  })

  it('reply by email or text, and refuse unknown recipients and empty or too long messages', async () => {
    const { id } = await office.customer('Bea', { phone: '617 555 0203', email: 'bea@example.com' })
    await mail('bea@example.com', 'Estimate', 'How much?')
    const page = withOf(id)
    const opened = await get(page)
    assert.match(pageTextOf(opened), /Kept in the outbox: no sender is set up/)
    assert.ok(formAt(opened, `${page}/send`).some(([name, value]) => name === 'subject' && value === 'Re: Estimate'))
    const answered = await submit(office.browser, page, { body: 'About $200' }, `${page}/send`)
    assert.equal(answered.location, page)
    await submit(office.browser, page, { to: 'sms:+16175550203', body: 'Or call us' }, `${page}/send`)
    const sent = await listSentMessages(id)
    assert.deepEqual(
      sent.map(({ channel, recipient, subject, body }) => [channel, recipient, subject, body]),
      [
        ['email', 'bea@example.com', 'Re: Estimate', 'About $200'],
        ['sms', '+16175550203', null, 'Or call us\nReply STOP to opt out.'],
      ],
    )
    assert.deepEqual([sent[0]!.in_reply_to !== null, sent[1]!.in_reply_to], [true, null])
    assert.match(pageTextOf(await get(page)), /How much\? .*About \$200 .*Or call us/)
    for (const [to, body] of [
      ['sms:+16175559999', 'x'],
      ['email:mallory@example.com', 'x'],
      ['', 'x'],
      ['sms:+16175550203', ' '],
      ['sms:+16175550203', 'y'.repeat(2_000)],
    ] as const) {
      const refused = await submit(office.browser, page, { to, body }, `${page}/send`)
      assert.equal(refused.status, 422, `${to} ${body.slice(0, 5)}`)
      assert.match(pageTextOf(refused), /Not sent/)
      if (body.length > 1) assert.match(pageTextOf(refused), /Counts as 14 texts\./)
    }
    assert.equal((await listSentMessages(id)).length, 2)
  })

  it('disable texting for a customer who opted out', async () => {
    const { id } = await office.customer('Cai', { phone: '617 555 0204', email: 'cai@example.com' })
    await text('+16175550204', 'STOP')
    const page = await get(withOf(id))
    const $ = load(page.text)
    assert.equal($('input[value="sms:+16175550204"]').attr('disabled'), 'disabled')
    assert.match(pageTextOf(page), /They asked for no more texts/)
    const refused = await post(`${withOf(id)}/send`, [
      ['to', 'sms:+16175550204'],
      ['body', 'Still there?'],
    ])
    assert.equal(refused.status, 409)
    assert.deepEqual(await listSentMessages(id), [])
  })

  it('stay archived until the next message arrives, and can be unarchived', async () => {
    const { id } = await office.customer('Dov', { phone: '617 555 0205' })
    await text('+16175550205', 'Thanks!')
    const conversation = await idOf('Dov')
    assert.equal((await post(office.at('messages', conversation, 'archive'))).location, office.at('messages'))
    assert.match(
      (await get(office.at('messages'))).text,
      new RegExp(
        `role="status"[\\s\\S]*Archived the conversation with Dov[\\s\\S]*action="[^"]+/${conversation}/unarchive"`,
      ),
    )
    assert.ok(!(await listPeople()).includes('Dov') && (await listPeople('?view=archived')).includes('Dov'))
    await text('+16175550205', 'One more thing')
    assert.ok((await listPeople()).includes('Dov') && !(await listPeople('?view=archived')).includes('Dov'))
    assert.deepEqual(
      (await office.entries(conversation)).map(({ tool }) => tool),
      ['messages.archive'],
    )
    assert.equal((await get(withOf(id))).status, 200)
  })

  it('can be assigned to a member, who sees them under Mine', async () => {
    await office.customer('Eli', { phone: '617 555 0206' })
    await text('+16175550206', 'Hello')
    const conversation = await idOf('Eli')
    await post(office.at('messages', conversation, 'assign'), [['member', office.owner.user_id]])
    assert.deepEqual(await listPeople('?view=mine'), ['Eli'])
    await post(office.at('messages', conversation, 'assign'), [['member', '']])
    assert.deepEqual(await listPeople('?view=mine'), [])
    for (const member of [other.owner.user_id, newId()])
      assert.equal((await post(office.at('messages', conversation, 'assign'), [['member', member]])).status, 404)
  })

  it('with a blocked sender are hidden and never unread until unblocked', async () => {
    await text('+16175550207', 'Cheap pills')
    const conversation = await idOf('0207')
    await post(office.at('messages', conversation, 'block'))
    await text('+16175550207', 'Cheaper pills')
    for (const view of ['', '?view=unread', '?view=unknown'])
      assert.ok(!(await listPeople(view)).includes('(617) 555-0207'), view)
    assert.deepEqual(await listPeople('?view=blocked'), ['(617) 555-0207'])
    assert.ok(!(await get(office.at('messages', conversation))).text.includes('/send"'))
    await post(office.at('messages', conversation, 'unblock'))
    assert.ok((await listPeople('?view=unread')).includes('(617) 555-0207'))
  })

  it('of an unknown sender move to the customer they are linked to', async () => {
    await text('+16175550208', 'It is me, Flo')
    const conversation = await idOf('0208')
    const page = await get(office.at('messages', conversation))
    const [, link] = /href="([^"]+\/link)"/.exec(page.text)!
    const { id } = await office.customer('Flo')
    await post(link!, [['customer_id', id]])
    assert.equal((await get(office.at('messages', conversation))).status, 404)
    assert.match(pageTextOf(await get(withOf(id))), /It is me, Flo/)
    assert.ok((await listPeople()).includes('Flo') && !(await listPeople()).includes('(617) 555-0208'))
  })

  it('are found by name, number and text', async () => {
    await office.customer('Gus', { last_name: 'Grünwald', phone: '617 555 0209' })
    await text('+16175550209', 'The sprinkler hisses')
    await text('+16175550210', 'A chandelier fell')
    for (const [query, found] of [
      ['grunwald', ['Gus Grünwald']],
      ['0209', ['Gus Grünwald']],
      ['sprinkler hiss', ['Gus Grünwald']],
      ['chandelier', ['(617) 555-0210']],
      ['submarine', []],
    ] as const)
      assert.deepEqual(await listPeople(`?q=${encodeURIComponent(query)}`), found, query)
  })

  it('prefill a booking with the customer and the message', async () => {
    const { id } = await office.customer('Hal', { phone: '617 555 0211' })
    await text('+16175550211', 'Sink & drain')
    const $ = load((await get(withOf(id))).text)
    const url = new URL($('a:contains("Book job")').attr('href')!, 'https://x.example')
    assert.deepEqual(
      [url.pathname, url.searchParams.get('customer_id'), url.searchParams.get('notes')],
      [office.at('calls', 'new'), id, 'Sink & drain'],
    )
  })

  it('with unread messages are counted once each in the menu', async () => {
    const countIn = async (): Promise<number> =>
      Number(load((await get(office.at('customers'))).text)('.rail [data-key=m] .count [aria-hidden]').text() || 0)
    const { id } = await office.customer('Ina', { phone: '617 555 0212' })
    const before = await countIn()
    await text('+16175550212', 'One')
    await text('+16175550212', 'Two')
    assert.equal(await countIn(), before + 1)
    await submit(office.browser, withOf(id), {}, office.at('messages', 'read'))
    assert.equal(await countIn(), before)
  })

  it('return 404 to another company, and are read-only without edit access to customers', async () => {
    const { id } = await office.customer('Jo', { phone: '617 555 0213' })
    await text('+16175550213', 'Secret')
    const conversation = await idOf('Jo')
    for (const path of [withOf(id), office.at('messages', conversation)]) {
      assert.equal((await other.browser.get(path)).status, 404)
      assert.equal((await other.browser.get(path.replace(office.id, other.id))).status, 404)
    }
    const viewer = await office.signInMember('tech', { 'Customers & contacts': 'view' })
    const page = await viewer.browser.get(withOf(id))
    assert.match(pageTextOf(page), /Secret/)
    assert.ok(!page.text.includes('/send"') && !page.text.includes('/block"'))
    for (const path of [
      `${withOf(id)}/send`,
      ...['assign', 'archive', 'block'].map((act) => office.at('messages', conversation, act)),
    ])
      for (const browser of [viewer.browser, other.browser])
        assert.equal(
          (
            await sendForm(browser, path, [
              ['to', 'sms:+16175550213'],
              ['body', 'x'],
            ])
          ).status,
          404,
          path,
        )
    assert.deepEqual(await listSentMessages(id), [])
    for (const odd of [newId(), '-'.repeat(36)]) {
      assert.equal((await get(office.at('messages', odd))).status, 404)
      assert.equal((await get(withOf(odd))).status, 404)
      assert.equal((await post(office.at('messages', odd, 'archive'))).status, 404)
    }
    assert.equal((await post(office.at('messages', conversation, 'explode'))).status, 404)
  })
})
