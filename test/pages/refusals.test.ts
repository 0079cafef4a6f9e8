import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Result, TestService } from '../harness/harness.ts'
import { errorAt, formAt, openOffice, type Office } from '../harness/identity/people_pages.ts'
import { startSite, type BrowserResponse } from '../harness/web_client.ts'

let service: TestService
let office: Office
let customer: Result
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
  customer = await office.customer('Dora', { last_name: 'Vance' })
})
after(() => service.stop())

/** Submits a form with some fields filled in, in a given browser language. */
async function send(
  form: string,
  entries: Record<string, string>,
  language = 'en',
  to = form,
): Promise<BrowserResponse> {
  const opened = formAt(await office.browser.get(form), to).filter(([name]) => !(name in entries))
  return office.browser.send(to, {
    method: 'POST',
    headers: {
      accept: 'text/html',
      'accept-language': language,
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
    },
    body: new URLSearchParams([...opened, ...Object.entries(entries)]).toString(),
  })
}

describe('a validation error on a page', () => {
  it('asks for the customer of a job, in English and Spanish', async () => {
    const page = office.at('jobs', 'new')
    const at = async (language: string): Promise<unknown[]> => {
      const seen = await send(page, { customer_id: '', title: 'Boiler visit' }, language)
      assert.ok(!/customers_search|customer_id is/.test(seen.text))
      return [seen.status, /<p class="error" id="customer_id">([^<]*)</.exec(seen.text)?.[1]]
    }
    assert.deepEqual(await at('en'), [422, 'Choose a customer.'])
    assert.deepEqual(await at('es'), [422, 'Elija una opción: cliente.'])
  })

  it('names the missing field by its label, in English and Spanish', async () => {
    const at = async (language: string): Promise<unknown> =>
      errorAt(await send(office.at('tags', 'new'), { name: '' }, language), 'name')
    assert.equal(await at('en'), 'Enter a name.')
    assert.equal(await at('es'), 'Complete este campo: nombre.')
  })

  it('names the line it is about, in English and Spanish', async () => {
    const page = `${office.at('jobs', 'new')}?customer_id=${customer.id}`
    const at = async (language: string): Promise<unknown> => {
      const fields = {
        title: 'Boiler',
        'line_items.0.name': 'Pump',
        'line_items.0.quantity': '0',
        'line_items.0.price': '5',
      }
      return errorAt(await send(page, fields, language, office.at('jobs', 'new')), 'line_items')
    }
    assert.equal(await at('en'), 'Work and parts 1, qty: Enter a number above 0.')
    assert.match(String(await at('es')), /^\S.* 1, cant\.: Escriba un número mayor que 0\.$/)
  })
})
