import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Result, TestService } from '../harness/harness.ts'
import {
  errorAt,
  formAt,
  idAt,
  openOffice,
  said,
  sendForm,
  submit,
  type Office,
} from '../harness/identity/people_pages.ts'
import { startSite, visitor, type Seen } from '../harness/visiting.ts'

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
const newTag = (name: string): Promise<Result> => office.call('tags_create', { name })
const newJob = (more: object = {}): Promise<Result> =>
  office.call('jobs_create', { customer_id: customer.id, title: 'Boiler visit', ...more })
const formFor = (): string => `${office.at('jobs', 'new')}?customer_id=${customer.id}`
const namedTags = async (query: string): Promise<Result[]> => (await office.call('tags_list', { query })).rows
/** Submits the form of a new job, with some fields filled in. */
const makeJob = (typed: Record<string, string | null>): Promise<Seen> =>
  submit(office.browser, formFor(), { title: 'Boiler visit', ...typed }, office.at('jobs', 'new'))
const lineOf = (row: number, parts: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(parts).map(([part, value]) => [`line_items.${row}.${part}`, value]))

describe('a new record', () => {
  it('is made once, however often its form is sent, and leads to its page', async () => {
    const form = office.at('tags', 'new')
    const fields = formAt(await office.browser.get(form), form).map(([name, value]): [string, string] => [
      name,
      name === 'name' ? 'Sent twice' : value,
    ])
    const [one, two] = await Promise.all([
      sendForm(office.browser, form, fields),
      sendForm(office.browser, form, fields),
    ])
    assert.deepEqual([one.status, one.location], [303, two.location])
    assert.equal((await namedTags('Sent twice')).length, 1)
    assert.ok(said(await office.browser.get(one.location!)).includes('Sent twice'))
  })

  it('that is refused is shown with what was typed, the reason beside its field and above, with the way there', async () => {
    await newTag('VIP')
    const page = await submit(office.browser, office.at('tags', 'new'), { 'color.has': 'yes', color: 'red', name: '' })
    assert.equal(page.status, 422)
    assert.match(errorAt(page, 'color')!, /^Choose a color\.$/)
    assert.match(
      page.text,
      /<div class="notice error" role="alert">[\s\S]*<a href="#name">Enter a name\.<\/a>[\s\S]*<a href="#color">Choose a color\.<\/a>/,
    )
    assert.match(
      page.text,
      /<input id="color"[^>]* value="red"[^>]* aria-describedby="color-error color-help" aria-invalid="true">/,
    )
    const taken = await submit(office.browser, office.at('tags', 'new'), { name: 'vip' })
    assert.equal(taken.status, 409)
    assert.ok(said(taken).includes('Not saved yet'))
    assert.match(taken.text, /<input id="name"[^>]* value="vip"/)
  })

  it("is read before it is sent on: everything that can't be read at once", async () => {
    const page = await makeJob({
      ...lineOf(0, { name: 'Pump', price: '12,50' }),
      ...lineOf(1, { name: 'Pipe', price: '1.005' }),
      fields: 'no colon',
    })
    assert.equal(page.status, 422)
    assert.match(errorAt(page, 'line_items')!, /^Work and parts 1, price: Enter an amount, such as 125\.00\.$/)
    assert.match(errorAt(page, 'fields')!, /^Enter a name, a colon and a value on each line/)
    const opened = new Map(formAt(page, office.at('jobs', 'new')))
    assert.deepEqual(
      ['line_items.0.price', 'line_items.1.price', 'fields', 'title'].map((name) => opened.get(name)),
      ['12,50', '1.005', 'no colon', 'Boiler visit'],
    )
  })

  it('takes lines as they are typed: groups, catalog items by name, percentages', async () => {
    const item = await office.call('catalog_items_create', {
      kind: 'product',
      name: 'Water heater',
      unit_price_cents: 89_900,
      unit: 'each',
    })
    const { location } = await makeJob({
      ...lineOf(0, { name: 'water HEATER', quantity: '2' }),
      ...lineOf(1, { name: 'Labor', quantity: '1.5', unit: 'hour', price: '$1,200', description: 'Two\r\nlines' }),
      ...lineOf(2, { name: 'Loyal customer', percent: '10' }),
      ...lineOf(5, { name: 'Permit', price: '95' }),
    })
    const { line_items, subtotal_cents } = await office.call('jobs_get', { id: idAt(location) })
    assert.deepEqual(
      line_items.map(
        ({ name, kind, catalog_item_id, quantity, unit_price_cents, description, discount_value }: Result) => [
          name,
          kind,
          catalog_item_id,
          quantity,
          unit_price_cents,
          description,
          discount_value,
        ],
      ),
      [
        ['water HEATER', 'product', item.id, 2, 89_900, null, null],
        ['Labor', 'service', null, 1.5, 120_000, 'Two\nlines', null],
        ['Loyal customer', 'discount', null, null, null, null, 10],
        ['Permit', 'service', null, 1, 9_500, null, null],
      ],
    )
    assert.equal(subtotal_cents, 179_800 + 180_000 + 9_500)
  })

  it('gets one more line without losing what was typed, and without being made', async () => {
    const before = (await office.call('jobs_list', { include_total: true })).total
    const page = await submit(
      office.browser,
      formFor(),
      {
        title: 'Long one',
        ...lineOf(2, { name: 'Third', price: '5' }),
        more: 'line_items.add',
        assignees: [office.owner.user_id],
      },
      office.at('jobs', 'new'),
    )
    assert.equal(page.status, 200)
    const fields = formAt(page, office.at('jobs', 'new'))
    const opened = new Map(fields)
    assert.deepEqual(
      [
        'title',
        'line_items.0.name',
        'line_items.1.name',
        'line_items.1.price',
        'line_items.2.name',
        'line_items.3.name',
        'customer_id',
        'assignees',
      ].map((name) => opened.get(name)),
      ['Long one', '', 'Third', '5', '', undefined, customer.id, office.owner.user_id],
    )
    assert.equal((await office.call('jobs_list', { include_total: true })).total, before)
    const { location } = await sendForm(office.browser, office.at('jobs', 'new'), fields)
    assert.deepEqual(
      (await office.call('jobs_get', { id: idAt(location) })).line_items.map(({ name }: Result) => name),
      ['Third'],
    )
  })

  it('begins with what the address says', async () => {
    const opened = new Map(
      formAt(await office.browser.get(`${office.at('tags', 'new')}?name=Net+30`), office.at('tags', 'new')),
    )
    assert.equal(opened.get('name'), 'Net 30')
  })
})

describe('a company whose currency has no digits', () => {
  it('types and reads whole amounts', async () => {
    const tokyo = await openOffice(service, 'Tokyo Heating')
    const { browser } = tokyo
    await submit(browser, tokyo.at('settings', 'company'), { currency: 'JPY' })
    const { id } = await tokyo.customer('Ken')
    const form = tokyo.at('jobs', 'new')
    const { location } = await submit(
      browser,
      `${form}?customer_id=${id}`,
      { title: 'Visit', ...lineOf(0, { name: 'Work', price: '12,500' }) },
      form,
    )
    assert.ok(said(await browser.get(location!)).includes('¥12,500'))
    assert.equal(
      new Map(formAt(await browser.get(`${location!}/edit`), `${location!}/edit`)).get('line_items.0.price'),
      '12500',
    )
    const refused = await submit(browser, `${location!}/edit`, lineOf(0, { price: '12500.5' }))
    assert.deepEqual(
      [refused.status, errorAt(refused, 'line_items')],
      [422, 'Work and parts 1, price: Enter an amount, such as 12500.'],
    )
  })
})

describe('a record that is changed', () => {
  it('is written by what was changed alone, and not at all where nothing was', async () => {
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

  it('loses the line whose name was emptied, and what else was emptied', async () => {
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

  it('keeps its own fields through the form: numbers, true, quotes, names with a colon', async () => {
    const fields = { Doors: 2.5, Gate: '007', VIP: true, Nobody: null, 'Code: east': '"12"' }
    const job = await newJob({ fields })
    const form = office.at('jobs', job.id, 'edit')
    const typed = new Map(formAt(await office.browser.get(form), form)).get('fields')!
    await submit(office.browser, form, { fields: `${typed}\r\nSince: 2019\r\nBell: "false"` })
    assert.deepEqual((await office.call('jobs_get', { id: job.id })).fields, { ...fields, Since: 2019, Bell: 'false' })
  })

  it('is refused beside the field, and keeps what was typed', async () => {
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

  it('meanwhile by somebody else is shown in both versions and not written, and replaced when it is sent again', async () => {
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

describe('a lost session', () => {
  it('keeps what was typed until the person is back, who sends it on', async () => {
    const away = visitor(service)
    const sent = await away.post(office.at('tags', 'new'), { name: `Typed ${HOSTILE}` })
    assert.equal(sent.status, 401)
    const [typed] = formAt(sent, '/sign-in').filter(([name]) => name === 'typed')
    const wrong = await away.post('/sign-in', {
      ...Object.fromEntries(formAt(sent, '/sign-in')),
      email: office.owner.email,
      password: 'not the password',
    })
    assert.deepEqual([wrong.status, formAt(wrong, '/sign-in').find(([name]) => name === 'typed')], [422, typed])
    const back = await submitted(away, sent)
    assert.ok(said(back).includes('Your changes are still here') && !back.text.includes('<script>alert'))
    const { location } = await away.post(
      office.at('tags', 'new'),
      Object.fromEntries(formAt(back, office.at('tags', 'new'))),
    )
    assert.equal((await office.call('tags_get', { id: idAt(location) })).name, `Typed ${HOSTILE}`)
  })

  it('leads a page that was asked for back to itself, its query included', async () => {
    const away = visitor(service)
    const { location } = await away.get(`${office.at('tags')}?query=a%26b`)
    assert.equal(location, `/sign-in?to=${encodeURIComponent(`${office.at('tags')}?query=a%26b`)}`)
    assert.equal(
      (await away.signIn(office.owner.email, `${office.at('tags')}?query=a%26b`)).location,
      `${office.at('tags')}?query=a%26b`,
    )
  })

  const submitted = (away: ReturnType<typeof visitor>, page: Seen): Promise<Seen> =>
    away.post('/sign-in', {
      ...Object.fromEntries(formAt(page, '/sign-in')),
      email: office.owner.email,
      password: 'correct horse battery',
    })
})

describe("a form that isn't taken", () => {
  it('from another site, even by somebody who is signed in', async () => {
    const tag = await newTag('Ours')
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      {},
    ] as Record<string, string>[]) {
      for (const path of [
        office.at('tags', 'new'),
        office.at('tags', tag.id, 'edit'),
        office.at('tags', tag.id, 'do', 'tags_delete'),
      ]) {
        assert.equal((await office.browser.post(path, { name: 'Forged' }, headers)).status, 403, path)
      }
    }
    assert.deepEqual((await namedTags('Forged')).length + (await namedTags('Ours')).length, 1)
  })

  it('larger than a record can be, or of another kind', async () => {
    const large = await office.browser.post(office.at('tags', 'new'), { name: 'x'.repeat(600 * 1024) })
    assert.equal(large.status, 413)
    assert.ok(said(large).includes('512 kB'))
    const json = await office.browser.send(office.at('tags', 'new'), {
      method: 'POST',
      body: '{"name":"x"}',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    })
    assert.equal(json.status, 415)
  })

  it("with a method that the address doesn't have", async () => {
    const answer = await office.browser.send(office.at('tags', 'new'), {
      method: 'DELETE',
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'GET, HEAD, POST'])
  })
})

describe('text from anybody', () => {
  it('is shown as text on every page of a record, wherever it stands', async () => {
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
