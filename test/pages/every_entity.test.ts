import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { screens } from '../../src/records/screens.ts'
import type { Screen } from '../../src/records/page/screen.ts'
import { ARGUMENTS, makeRecords, type Records } from '../harness/clients/every_tool.ts'
import type { Result, TestService } from '../harness/harness.ts'
import { formAt, openOffice, pageTextOf, sendForm, type Office } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'

let service: TestService
let office: Office
let of: Records
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
  of = await makeRecords({ call: office.call, owner: { id: office.owner.user_id } }, 'Paged')
})
after(() => service.stop())

const recordOf = ({ entity: { name } }: Screen): Promise<Result> =>
  office.call(`${name}_get`, ARGUMENTS[`${name}_get`]!(of)[0]!)

/** Returns the query of a list or form that needs a customer. */
const about = ({ startsFrom }: Screen): string => (startsFrom === 'customer' ? `?customer_id=${of.customer}` : '')

for (const screen of screens) {
  const {
    entity: { name, tools },
    title,
    menu,
    listing,
  } = screen
  describe(title, () => {
    it('have a list that links to the record, and a CSV export', async () => {
      const { id } = await recordOf(screen)
      const list = await office.browser.get(office.at(name) + about(screen))
      assert.deepEqual([list.status, pageTextOf(list).includes(title)], [200, true])
      assert.ok(list.text.includes(`href="${office.at(name, id)}"`), `no link to ${name} ${id}`)
      const file = await office.browser.get(`${office.at(name)}.csv${about(screen)}`)
      assert.equal(file.status, 200)
      assert.equal(
        file.text.replace('\ufeff', '').split(/\r?\n/)[0],
        listing.exported.map((column) => column.replace(/_cents$/, '')).join(','),
      )
      assert.equal(
        (await office.browser.get(office.at())).text.includes(`href="${office.at(name)}"`),
        menu !== undefined,
      )
    })

    it('have a page per record, with its action button', async () => {
      const record = await recordOf(screen)
      const page = await office.browser.get(office.at(name, record['id']))
      assert.deepEqual([page.status, pageTextOf(page).includes(screen.nameOf(record as never))], [200, true])
      const [, , , , { verb }] = tools
      // A plan is ended together with its visits.
      const ending = name === 'plans' ? 'end' : verb
      assert.ok(page.text.includes(`/${record['id']}/do/${name}_${ending}`), `no button for ${ending}`)
    })

    it('have new and edit forms, and an unchanged form changes nothing', async () => {
      assert.ok([200, 303].includes((await office.browser.get(office.at(name, 'new') + about(screen))).status))
      const { id, updated_at } = await recordOf(screen)
      const form = office.at(name, id, 'edit')
      const sent = await sendForm(office.browser, form, formAt(await office.browser.get(form), form))
      assert.equal(sent.status, 303, pageTextOf(sent))
      assert.equal((await recordOf(screen))['updated_at'], updated_at)
    })
  })
}
