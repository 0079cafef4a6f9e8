import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { load } from 'cheerio'
import type { TestService } from '../../harness/harness.ts'
import { openOffice, pageTextOf, sendForm, formAt, submit, type Office } from '../../harness/identity/people_pages.ts'
import { startSite } from '../../harness/web_client.ts'

let service: TestService
let office: Office
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
})
after(() => service.stop())

describe('editing a single field', () => {
  it("opens from the field's link, shows only that field, and changes nothing else", async () => {
    const { id } = await office.customer('Ana', { lead_source: 'Web', payment_terms_days: 30, external_id: 'QB-9' })
    const $ = load((await office.browser.get(office.at('customers', id))).text)
    const links = $('[data-edit]')
      .get()
      .map((one) => $(one).attr('href'))
    const edit = office.at('customers', id, 'edit')
    for (const field of ['payment_terms_days', 'lead_source', 'external_id'])
      assert.ok(links.includes(`${edit}?field=${field}`), field)
    const page = await office.browser.get(`${edit}?field=payment_terms_days`)
    const names = formAt(page, edit).map(([name]) => name)
    assert.deepEqual(names.toSorted(), ['customer_type', 'expected_updated_at', 'field', 'payment_terms_days'])
    const sent = await submit(office.browser, `${edit}?field=payment_terms_days`, { payment_terms_days: '15' }, edit)
    assert.equal(sent.location, office.at('customers', id))
    const customer = await office.call('customers_get', { id })
    assert.deepEqual(
      [customer.payment_terms_days, customer.lead_source, customer.external_id, customer.display_name],
      [15, 'Web', 'QB-9', 'Ana'],
    )
    assert.match(pageTextOf(await office.browser.get(office.at('customers', id))), /15 days/)
  })

  it("changes a job's time or assignees, and nothing else", async () => {
    const { id: customer_id } = await office.customer('Ben')
    const job = await office.call('jobs_create', {
      customer_id,
      title: 'Leak',
      scheduled_start: '2027-03-01T09:00',
      duration_minutes: 90,
      instructions: 'Ring twice',
    })
    const edit = office.at('jobs', job.id, 'edit')
    await submit(office.browser, `${edit}?field=scheduled_start`, { scheduled_start: '2027-03-02T10:00' }, edit)
    await submit(office.browser, `${edit}?field=assignees`, { assignees: [office.owner.user_id] }, edit)
    const now = await office.call('jobs_get', { id: job.id })
    assert.deepEqual(
      [now.duration_minutes, now.instructions, now.title, now.assignments.length],
      [90, 'Ring twice', 'Leak', 1],
    )
    assert.notEqual(now.scheduled_start, job.scheduled_start)
  })

  it('shows only that field after an error, and both versions after a concurrent change', async () => {
    const { id } = await office.customer('Cyd', { lead_source: 'Web', payment_terms_days: 30 })
    const edit = office.at('customers', id, 'edit')
    const wrong = await submit(office.browser, `${edit}?field=payment_terms_days`, { payment_terms_days: '999' }, edit)
    assert.equal(wrong.status, 422)
    assert.deepEqual(
      formAt(wrong, edit).filter(([name]) => name === 'lead_source'),
      [],
    )
    const opened = formAt(await office.browser.get(`${edit}?field=lead_source`), edit)
    await office.call('customers_update', { id, lead_source: 'Radio' })
    const late = await sendForm(
      office.browser,
      edit,
      opened.map(([name, value]) => [name, name === 'lead_source' ? 'Friend' : value]),
    )
    assert.equal(late.status, 409)
    assert.match(pageTextOf(late), /Someone else changed this/)
    assert.equal((await office.call('customers_get', { id })).lead_source, 'Radio')
  })

  it("shows the full form for an unknown field, and isn't offered with view access or on a canceled job", async () => {
    const { id } = await office.customer('Dot', { lead_source: 'Web' })
    const edit = office.at('customers', id, 'edit')
    for (const field of ['nothing', 'id', 'archived_at', 'x'.repeat(3000)]) {
      const names = formAt(await office.browser.get(`${edit}?field=${field}`), edit).map(([name]) => name)
      assert.ok(names.includes('first_name') && names.includes('lead_source') && !names.includes('field'), field)
    }
    const { browser } = await office.signInMember('tech', { 'Customers & contacts': 'view' })
    assert.equal((await browser.get(`${edit}?field=lead_source`)).status, 404)
    assert.equal(load((await browser.get(office.at('customers', id))).text)('[data-edit]').length, 0)
    const job = await office.call('jobs_create', { customer_id: id, title: 'Off', scheduled_start: '2027-03-01T09:00' })
    await office.call('jobs_cancel', { id: job.id })
    assert.equal(load((await office.browser.get(office.at('jobs', job.id))).text)('[data-edit]').length, 0)
  })
})
