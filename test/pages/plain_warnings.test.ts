import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Result, TestService } from '../harness/harness.ts'
import { formAt, openOffice, pageTextOf, submit, type Office } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'

/** Warnings as users see them after a redirect or on a record's page. */
let service: TestService
let office: Office
let customer: Result
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
  customer = await office.customer('Dora', { last_name: 'Vance', do_not_service: true, email: 'dora@example.com' })
})
after(() => service.stop())

/** Submits a new record form and returns the text of the next page. */
async function create(steps: string[], typed: Record<string, string>): Promise<string> {
  const page = office.at(...steps, 'new')
  const opened = formAt(await office.browser.get(page), page).filter(([name]) => !(name in typed))
  const { status, location } = await office.browser.post(
    page,
    Object.fromEntries([...opened, ...Object.entries(typed)]),
  )
  assert.equal(status, 303)
  return pageTextOf(await office.browser.get(location!))
}

const book = (): Promise<string> => create(['jobs'], { customer_id: customer['id'], title: 'Boiler' })
const addContact = (): Promise<string> =>
  create(['contacts'], { customer_id: customer['id'], first_name: 'Ana', email: 'dora@example.com' })

const WARNINGS = {
  en: {
    doNotService: /Dora Vance is marked “Do not service”\. Check with the office before you book work/,
    sameEmail: /Another contact of this customer has the same email address\./,
    shortMonths: /Months without day 31 are skipped\. Choose the last day of the month to include every month\./,
  },
  es: {
    doNotService: /Dora Vance tiene la marca «No atender»\. Consulte con la oficina/,
    sameEmail: /Otro contacto de este cliente tiene el mismo correo\./,
    shortMonths: /Los meses que no tienen día 31 se omiten\. Elija el último día del mes/,
  },
}

for (const language of ['en', 'es'] as const)
  describe(`a warning in ${language}`, () => {
    before(() => submit(office.browser, office.at('settings'), { language }, office.at('settings', 'you')))

    it('is shown for work booked for a do-not-service customer', async () => {
      const text = await book()
      assert.match(text, WARNINGS[language].doNotService)
      assert.doesNotMatch(text, /do_not_service/)
    })

    it("is shown for a contact with another contact's email", async () => {
      assert.match(await addContact(), WARNINGS[language].sameEmail)
    })

    it('is shown on the page of a series that skips short months', async () => {
      const series = await office.call('job_series_create', {
        customer_id: customer['id'],
        title: 'Filters',
        rrule: 'FREQ=MONTHLY;BYMONTHDAY=31',
        dtstart: '2027-01-31T09:00',
      })
      assert.deepEqual(series['warnings'], [
        '«Dora Vance» is marked do_not_service; ask a person to confirm this work',
        'months without day 31 are skipped; use BYMONTHDAY=-1 for the last day',
      ])
      const text = pageTextOf(await office.browser.get(office.at('job_series', series['id'])))
      assert.match(text, WARNINGS[language].shortMonths)
      assert.doesNotMatch(text, /BYMONTHDAY/)
    })
  })
