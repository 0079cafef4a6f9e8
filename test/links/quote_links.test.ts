import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/db/tenant.ts'
import { carried, startLinking, type Linking } from './setting.ts'

let it_: Linking
before(async () => {
  it_ = await startLinking()
})
after(() => it_.service.stop())

describe('x', () => {
  it('y', async () => {
    const { path, quote } = await it_.quoteLink()
    const browser = it_.browser()
    const page = await browser.get(path)
    console.log(page.status, page.text.length, page.text)
    const asked = await browser.get(`${path}/accept`)
    console.log(asked.status)
    const done = await browser.post(`${path}/accept`, {
      shown: carried(asked.text, 'shown'),
      name: 'Maria Lopez',
      signature: 'M10 10L20 20',
    })
    console.log(done.status, done.location, done.text.slice(0, 200))
    console.log((await browser.get(path)).text)
    console.log((await browser.get(`${path}/pdf`)).status)
    console.log(await it_.all(sql`select * from acceptances`), await it_.office.call('quotes_get', { id: quote['id'] }))
  })
})
