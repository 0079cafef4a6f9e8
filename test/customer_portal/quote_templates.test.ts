import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/platform/db/tenant.ts'
import type { Result } from '../harness/harness.ts'
import { formAt, pageTextOf, submit } from '../harness/identity/people_pages.ts'
import { openPortalScene, type PortalScene } from './portal_scene.ts'

let portal: PortalScene
before(async () => void (portal = await openPortalScene()))
after(() => portal.service.stop())

const get = (id: string): Promise<Result> => portal.office.call('quotes_get', { id })
const at = (id: string, act: string): string => portal.office.at('quotes', id, 'do', act)
const doOn = (id: string, act: string, fields: Record<string, string>) =>
  submit(portal.office.browser, at(id, act), fields)
const templates = (): Promise<{ id: string; name: string }[]> =>
  portal.all(sql`select id, name from quote_templates order by name`)
const idOf = async (name: string): Promise<string> => (await templates()).find((one) => one.name === name)?.id ?? ''
const draft = async (given: object = {}): Promise<string> => String((await portal.quote(given, 'draft'))['id'])
const item = (name: string, unit_price_cents: number, more: object = {}): Promise<Result> =>
  portal.office.call('catalog_items_create', { name, unit_price_cents, kind: 'service', ...more })

/** Creates a set of two options: catalog lines, a custom line, an optional line, a discount and a deposit. */
async function savedSet(name: string) {
  const [heater, valve] = [await item(`Heater ${name}`, 90_000), await item(`Valve ${name}`, 5_000)]
  const good = await draft({
    title: 'Good',
    discount: { type: 'percent', value: 10 },
    line_items: [
      { catalog_item_id: heater['id'], quantity: 2 },
      { catalog_item_id: valve['id'], unit_price_cents: 4_000 },
      { name: 'Permit', unit_price_cents: 7_500, taxable: false },
    ],
  })
  await doOn(good, 'quotes_ask_deposit', { 'deposit.value': '25', 'deposit.type': 'percent' })
  await doOn(good, 'quotes_set_optional_lines', { 'line_items.0.name': 'Haul away', 'line_items.0.price': '50' })
  const { location } = await portal.office.browser.post(at(good, 'quotes_add_option'), {})
  const best = location?.split('/').at(-1)?.split('?')[0] ?? ''
  await portal.office.call('quotes_update', { id: best, title: 'Best', terms: 'In advance.' })
  assert.equal((await doOn(good, 'quotes_save_template', { name })).status, 303)
  return { good, best, heater, valve }
}

describe('a quote template', () => {
  it('creates the same set for another customer, with current catalog prices', async () => {
    const { good, best, heater } = await savedSet('Comfort')
    await portal.office.call('catalog_items_update', { id: heater['id'], unit_price_cents: 95_000 })
    const other = await portal.office.customer('Bea')
    const id = await draft({ customer_id: other['id'], title: 'New', line_items: [] })
    const { status } = await doOn(id, 'quotes_use_template', { template_id: await idOf('Comfort') })
    assert.equal(status, 303)
    const made = await get(id)
    assert.deepEqual(
      made['options'].map(({ title, status }: Result) => [title, status]),
      [
        ['Good', 'draft'],
        ['Best', 'draft'],
      ],
    )
    const prices = ({ line_items }: Result): [string, number, number][] =>
      line_items.map((line: Result) => [line['name'], line['quantity'], line['unit_price_cents']])
    assert.deepEqual(prices(made), [
      ['Heater Comfort', 2, 95_000],
      ['Valve Comfort', 1, 4_000],
      ['Permit', 1, 7_500],
    ])
    assert.equal(made['total_cents'], Math.round((190_000 + 4_000 + 7_500) * 0.9))
    assert.deepEqual(
      made['optional_lines'].map(({ name, unit_price_cents }: Result) => [name, unit_price_cents]),
      [['Haul away', 5_000]],
    )
    const second = await get(made['options'].find(({ title }: Result) => title === 'Best').id)
    assert.deepEqual(
      [second['terms'], second['customer_id'], prices(second), second['optional_lines'].length],
      ['In advance.', other['id'], prices(made), 1],
    )
    const deposits = await portal.all(
      sql`select deposit from quotes where id = any(${[id, second['id'], good, best]}::uuid[])`,
    )
    assert.deepEqual(
      deposits,
      Array.from({ length: 4 }, () => ({ deposit: { type: 'percent', value: 25 } })),
    )
    const before = await get(good)
    assert.deepEqual(prices(before)[0], ['Heater Comfort', 2, 90_000], 'the quote it was made of stays')
    assert.match(
      pageTextOf(await portal.office.browser.get(portal.office.at('quotes', id))),
      /filled it from a template/,
    )
  })

  it('keeps the saved values of catalog items archived since', async () => {
    const { heater } = await savedSet('Old')
    await portal.office.call('catalog_items_archive', { id: heater['id'] })
    const id = await draft({ title: 'New' })
    assert.equal((await doOn(id, 'quotes_use_template', { template_id: await idOf('Old') })).status, 303)
    const [line] = (await get(id))['line_items']
    assert.deepEqual([line.name, line.unit_price_cents, line.catalog_item_id], ['Heater Old', 90_000, null])
  })

  it('is undone as a whole after use', async () => {
    await savedSet('Undone')
    const id = await draft({ title: 'Mine' })
    await doOn(id, 'quotes_use_template', { template_id: await idOf('Undone') })
    const [{ change_id: change }] = (await portal.all<{ change_id: string }>(
      sql`select change_id from audit where record_id = ${id} and tool = 'quotes.use_template'`,
    )) as [{ change_id: string }]
    const undo = `${portal.office.at('undo')}?${new URLSearchParams({ change }).toString()}`
    const page = await portal.office.browser.get(undo)
    const fields = Object.fromEntries(formAt(page, portal.office.at('undo')))
    assert.equal((await portal.office.browser.post(portal.office.at('undo'), fields)).status, 303)
    const after = await get(id)
    assert.deepEqual([after['title'], after['option_set'], after['optional_lines']], ['Mine', null, null])
  })

  it('is replaced by one with the same name, and can be deleted without affecting its quotes', async () => {
    const { good } = await savedSet('Twice')
    await doOn(good, 'quotes_save_template', { name: 'TWICE' })
    assert.deepEqual(
      (await templates()).filter(({ name }) => name.toLowerCase() === 'twice').map(({ name }) => name),
      ['TWICE'],
    )
    const id = await draft({ title: 'New' })
    await doOn(id, 'quotes_use_template', { template_id: await idOf('TWICE') })
    const other = await draft({ title: 'Other' })
    assert.equal((await doOn(other, 'quotes_delete_template', { template_id: await idOf('TWICE') })).status, 303)
    assert.equal(await idOf('TWICE'), '')
    assert.equal((await get(id))['options'].length, 2)
  })

  it("can be used only by the quote's owner, on a draft without options, if it exists", async () => {
    const { good } = await savedSet('Rights')
    const template_id = await idOf('Rights')
    const { browser } = portal.office
    assert.equal((await browser.get(at(good, 'quotes_use_template'))).status, 404, 'it has options')
    const id = await draft({ title: 'New' })
    const none = await doOn(id, 'quotes_use_template', { template_id: '' })
    assert.deepEqual([none.status, /Choose a template\./.test(pageTextOf(none))], [422, true])
    const strange = await browser.post(at(id, 'quotes_use_template'), { template_id: id })
    assert.equal(strange.status, 422)
    const colleague = await portal.office.signInMember('office')
    for (const act of ['quotes_use_template', 'quotes_save_template', 'quotes_delete_template'])
      assert.equal((await colleague.browser.post(at(id, act), { template_id, name: 'Theirs' })).status, 404, act)
    assert.equal((await get(id))['title'], 'New')
  })

  it('is limited to 50 per company', async () => {
    const id = await draft({ title: 'Many' })
    const { length } = await templates()
    for (let i = length; i < 50; i++) await doOn(id, 'quotes_save_template', { name: `Many ${i}` })
    const last = await doOn(id, 'quotes_save_template', { name: 'One more' })
    assert.deepEqual([last.status, /You have 50 templates, which is the limit/.test(pageTextOf(last))], [409, true])
    assert.equal((await templates()).length, 50)
  })
})
