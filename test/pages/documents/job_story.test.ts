import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { load } from 'cheerio'
import { FILES } from '../../harness/files/files.ts'
import type { TestService } from '../../harness/harness.ts'
import { openOffice, pageTextOf, submit, type Office } from '../../harness/identity/people_pages.ts'
import { startSite, type Browser } from '../../harness/web_client.ts'

let service: TestService
let office: Office
let directory: string
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'callout-story-'))
  service = await startSite({ DATA_DIR: directory })
  office = await openOffice(service, 'Alder Plumbing')
})
after(async () => {
  await service.stop()
  await rm(directory, { recursive: true, force: true })
})

const lines = [{ name: 'Visit', unit_price_cents: 12_500 }]

async function makeJob(title: string) {
  const customer = await office.customer('Dora', { phone: '617 555 0180', email: 'dora@example.com' })
  return { customer, job: await office.call('jobs_create', { customer_id: customer.id, title, line_items: lines }) }
}

function uploadPhoto(job: string, name: string) {
  const body = new FormData()
  body.append('files', new File([new Uint8Array(FILES['image/png']!)], name, { type: 'image/png' }))
  return office.browser.send(office.at('jobs', job, 'media'), {
    method: 'POST',
    body,
    headers: { 'sec-fetch-site': 'same-origin' },
  })
}

async function eventsOf(path: string, browser: Browser = office.browser): Promise<string[]> {
  const $ = load((await browser.get(path)).text)
  return $('.event')
    .get()
    .map((one) => $(one).text().replace(/\s+/g, ' ').trim())
}

describe('the job timeline', () => {
  it('shows changes, notes, invoices and payments, and files uploaded together as one entry', async () => {
    const { customer, job } = await makeJob('Leak')
    const path = office.at('jobs', job.id)
    for (const name of ['one.png', 'two.png', 'three.png']) assert.equal((await uploadPhoto(job.id, name)).status, 303)
    await office.call('notes_create', { subject_type: 'job', subject_id: job.id, body: 'Valve is stiff' })
    const invoice = await office.call('invoices_create', { customer_id: customer.id, from_job_id: job.id })
    await office.call('invoices_update', { id: invoice.id, status: 'paid' })
    const events = await eventsOf(path)
    for (const pattern of [
      /^Ana Ruiz created it, with the key Agent/,
      /^Ana Ruiz added 3 files/,
      /^Ana Ruiz · Note .*Valve is stiff/,
      new RegExp(`^${invoice.display_number}`),
      new RegExp(`^\\$125\\.00 Marked as paid · ${invoice.display_number}`),
    ])
      assert.equal(events.filter((text) => pattern.test(text)).length, 1, `${String(pattern)}: ${events.join('\n')}`)
    const $ = load((await office.browser.get(path)).text)
    assert.equal($('#media img').length, 3)
    const customers = load((await office.browser.get(office.at('customers', customer.id))).text)
    assert.equal(customers('.event-photos img').length, 3)
  })

  it('links to earlier entries when there are more files than fit on a page', async () => {
    const { job } = await makeJob('Roof')
    const path = office.at('jobs', job.id)
    for (let i = 0; i < 30; i++) assert.equal((await uploadPhoto(job.id, `${i}.png`)).status, 303)
    const $ = load((await office.browser.get(path)).text)
    assert.match((await eventsOf(path)).join(), /added 29 files/)
    const earlier = $('.story [rel=next]').attr('href')!.split('#')[0]!
    const events = await eventsOf(earlier)
    assert.match(events[0]!, /added/)
    assert.match(events[1]!, /created it, with the key Agent/)
  })

  it('hides invoices and messages from members without access to them', async () => {
    const { customer, job } = await makeJob('Guarded')
    const path = office.at('jobs', job.id)
    const invoice = await office.call('invoices_create', { customer_id: customer.id, from_job_id: job.id })
    await submit(
      office.browser,
      path,
      { to: 'email:dora@example.com', subject: 'Hi', body: 'Secret words' },
      office.at('messages', 'with', customer.id, 'send'),
    )
    const poor = await office.signInMember('office', { Invoices: 'none' })
    assert.ok(!pageTextOf(await poor.browser.get(path)).includes(invoice.display_number))
    const blind = await office.signInMember('office', { 'Customers & contacts': 'none' })
    const page = pageTextOf(await blind.browser.get(path))
    assert.ok(!page.includes('Secret words') && !page.includes('dora@example.com'))
    assert.equal(load((await blind.browser.get(path)).text)('#message-to').length, 0)
  })

  it('pages through all entries without duplicates', async () => {
    const { job } = await makeJob('Paged')
    for (let i = 0; i < 33; i++)
      await office.call('notes_create', { subject_type: 'job', subject_id: job.id, body: `Note number ${i}.` })
    const path = office.at('jobs', job.id)
    const first = load((await office.browser.get(path)).text)
    const earlier = first('.story [rel=next]').attr('href')!.split('#')[0]!
    const all = [...(await eventsOf(path)), ...(await eventsOf(earlier))]
    for (let i = 0; i < 33; i++) assert.equal(all.filter((text) => text.includes(`number ${i}.`)).length, 1)
    assert.equal(all.filter((text) => text.includes('created it')).length, 1)
  })

  it('renders no empty sections, and no forms with view access', async () => {
    const { customer } = await makeJob('x')
    const job = await office.call('jobs_create', { customer_id: customer.id, title: 'Bare' })
    const $ = load((await office.browser.get(office.at('jobs', job.id))).text)
    assert.deepEqual(
      $('main .part > .part-head h2, main .part > h2')
        .get()
        .map((one) => $(one).text()),
      ['On site'],
    )
    const { browser } = await office.signInMember('tech', { 'Jobs & scheduling': 'view', Notes: 'view' })
    const seen = load((await browser.get(office.at('jobs', job.id))).text)
    assert.equal(seen('.fold').length, 0)
    assert.equal(seen('.composer').length, 0)
  })

  it('accepts a note and a message in place, and returns to the job', async () => {
    const { customer, job } = await makeJob('Written')
    const path = office.at('jobs', job.id)
    const note = await submit(office.browser, path, { body: 'Bring the long ladder' }, office.at('notes', 'new'))
    assert.equal(note.location, path)
    const action = office.at('messages', 'with', customer.id, 'send')
    const sent = await submit(office.browser, path, { to: 'sms:+16175550180', body: 'Ten minutes away' }, action)
    assert.equal(sent.location, path)
    assert.match((await eventsOf(path)).join('|'), /Bring the long ladder/)
    assert.match((await eventsOf(office.at('customers', customer.id))).join('|'), /Ten minutes away/)
  })
})
