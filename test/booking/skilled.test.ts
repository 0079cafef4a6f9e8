import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { addMember } from '../../src/identity/people/people.ts'
import { sendForm } from '../harness/identity/people_pages.ts'
import { book, jobsOf, startBooking, startsIn, type Booking } from './scene.ts'

let scene: Booking
before(async () => {
  scene = await startBooking()
})
after(() => scene.service.stop())

it("offers only times of technicians with a service's skills, and books one of them", async () => {
  const { office, service, item } = scene
  const hire = async (name: string): Promise<string> =>
    (
      await addMember(
        service.database,
        { tenant: office.id },
        { email: `${name}@example.com`, name, role: 'tech', password: 'none' },
      )
    ).user_id
  await hire('Able')
  const zoe = await hire('Zoe')
  const action = office.at('catalog_items', item, 'do', 'catalog_items_set_skills')
  assert.equal((await sendForm(office.browser, action, [['skills', 'Drains']])).status, 303)
  const times = async () => startsIn((await scene.browser().get(`${scene.page}/${item}`)).text)
  assert.deepEqual(await times(), [])
  const hours = office.at('settings', 'hours', zoe)
  await office.browser.post(hours, { act: 'skills', skills: 'drains' })
  assert.ok((await times()).length > 0)
  const { done } = await book(scene, scene.browser())
  assert.equal(done.status, 303)
  assert.deepEqual(
    (await jobsOf(scene)).map(({ user }) => user),
    [zoe],
  )
})
