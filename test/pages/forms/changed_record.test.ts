import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Result, TestService } from '../../harness/harness.ts'
import { errorAt, formAt, openOffice, sendForm, submit, type Office } from '../../harness/identity/people_pages.ts'
import { startSite } from '../../harness/web_client.ts'

let service: TestService
let office: Office
let customer: Result
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
  customer = await office.customer('Dora', { last_name: 'Vance' })
})
after(() => service.stop())

const HOSTILE = '<script>alert(1)</script>"\'&'
const newJob = (more: object = {}): Promise<Result> =>
  office.call('jobs_create', { customer_id: customer.id, title: 'Boiler visit', ...more })

describe('editing a record', () => {
  it('saves only the changed fields, and writes nothing when nothing changed', async () => {
    const job = await newJob({
      instructions: 'Ring\ntwice',
      duration_minutes: 90,
      line_items: [{ name: 'Pump', description: 'Old\nand new', unit_price_cents: 1250 }],
      fields: { Gate: '007', Doors: 2, Key: true },
    })
    const form = office.at('jobs', job.id, 'edit')
    assert.deepEqual(
      [(await submit(office.browser, form)).location, (await office.entries(job.id)).length],
      [office.at('jobs', job.id), 1],
    )
    await submit(office.browser, form, { title: 'Boiler repair' })
    const [, entry, ...more] = await office.entries(job.id)
    assert.deepEqual([entry!.tool, Object.keys(entry!.changed), more], ['jobs.update', ['title'], []])
    assert.deepEqual(entry!.changed['title'], ['Boiler visit', 'Boiler repair'])
  })

  it('removes a line whose name was cleared, and clears emptied fields', async () => {
    const job = await newJob({
      description: 'Leaks',
      line_items: [
        { name: 'Pump', unit_price_cents: 1250 },
        { name: 'Pipe', unit_price_cents: 250 },
      ],
    })
    await submit(office.browser, office.at('jobs', job.id, 'edit'), { 'line_items.0.name': '', description: '' })
    const now = await office.call('jobs_get', { id: job.id })
    assert.deepEqual([now.line_items.map(({ name }: Result) => name), now.description], [['Pipe'], null])
  })

  it('keeps custom fields with numbers, booleans, quotes and colons in names', async () => {
    const fields = { Doors: 2.5, Gate: '007', VIP: true, Nobody: null, 'Code: east': '"12"' }
    const job = await newJob({ fields })
    const form = office.at('jobs', job.id, 'edit')
    const typed = new Map(formAt(await office.browser.get(form), form)).get('fields')!
    await submit(office.browser, form, { fields: `${typed}\r\nSince: 2019\r\nBell: "false"` })
    assert.deepEqual((await office.call('jobs_get', { id: job.id })).fields, { ...fields, Since: 2019, Bell: 'false' })
  })

  it('shows errors at the fields and keeps what was typed', async () => {
    const job = await newJob()
    const page = await submit(office.browser, office.at('jobs', job.id, 'edit'), {
      title: ' ',
      duration_minutes: 'an hour',
    })
    assert.equal(page.status, 422)
    assert.deepEqual(
      [
        errorAt(page, 'title') === undefined,
        errorAt(page, 'duration_minutes')?.startsWith('Enter a whole number from'),
      ],
      [false, true],
    )
    assert.equal(new Map(formAt(page, office.at('jobs', job.id, 'edit'))).get('duration_minutes'), 'an hour')
  })

  it('shows both versions and saves nothing after a concurrent change, then overwrites when sent again', async () => {
    const job = await newJob()
    const form = office.at('jobs', job.id, 'edit')
    const fields = formAt(await office.browser.get(form), form).map(([name, value]): [string, string] => [
      name,
      name === 'title' ? 'Typed here' : value,
    ])
    await office.call('jobs_update', { id: job.id, title: 'Changed there', priority: 'high' })
    const page = await sendForm(office.browser, form, fields)
    assert.equal(page.status, 409)
    assert.match(page.text, /<th scope="row">Title<\/th>[\s\S]*?Changed there[\s\S]*?Typed here/)
    assert.match(page.text, /<th scope="row">Priority<\/th>[\s\S]*?High[\s\S]*?Normal/)
    assert.doesNotMatch(page.text, /<th scope="row">(?!Title|Priority)/)
    assert.equal((await office.call('jobs_get', { id: job.id })).title, 'Changed there')
    assert.equal((await sendForm(office.browser, form, formAt(page, form))).location, office.at('jobs', job.id))
    const now = await office.call('jobs_get', { id: job.id })
    assert.deepEqual([now.title, now.priority], ['Typed here', 'normal'])
  })
})

describe('hostile text', () => {
  it('is escaped on every page of a record', async () => {
    const lines = [{ name: `Line ${HOSTILE}`, description: `Detail ${HOSTILE}`, unit: '"><b>', unit_price_cents: 100 }]
    const job = await newJob({
      title: `Title ${HOSTILE}`,
      description: HOSTILE,
      instructions: `${HOSTILE}\n</textarea><b>`,
      line_items: lines,
      fields: { [`Key ${HOSTILE}`]: HOSTILE },
    })
    await office.call('tags_create', { name: '</option></select><b>' })
    const pages = [
      office.at('jobs'),
      office.at('jobs', job.id),
      office.at('jobs', job.id, 'edit'),
      office.at('jobs', job.id, 'do', 'jobs_cancel'),
      `${office.at('jobs')}?title=${encodeURIComponent(HOSTILE)}`,
      office.at('tags'),
      office.at('customers'),
      `${office.at('tags')}?query=${encodeURIComponent('"><script>alert(1)</script>')}`,
    ]
    for (const path of pages) {
      const { status, text } = await office.browser.get(path)
      assert.equal(status, 200, path)
      assert.doesNotMatch(text, /<script>alert|<b>"|"><b>|<\/textarea><b>|<\/select><b>/, path)
    }
    const opened = new Map(
      formAt(await office.browser.get(office.at('jobs', job.id, 'edit')), office.at('jobs', job.id, 'edit')),
    )
    assert.deepEqual(
      [opened.get('title'), opened.get('instructions'), opened.get('line_items.0.unit')],
      [`Title ${HOSTILE}`, `${HOSTILE}\n</textarea><b>`, '"><b>'],
    )
  })
})
