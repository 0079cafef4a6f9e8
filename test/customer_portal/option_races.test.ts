import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createKey } from '../../src/identity/credentials/keys.ts'
import { SCOPES } from '../../src/identity/permissions/scopes.ts'
import { sql } from '../../src/platform/db/tenant.ts'
import { callerOf, type Result } from '../harness/harness.ts'
import { pageTextOf, submit } from '../harness/identity/people_pages.ts'
import { undoFrom } from '../undo/undo_pages.ts'
import { fieldValueOf, openPortalScene, type PortalScene } from './portal_scene.ts'

let portal: PortalScene
let agent: ReturnType<typeof callerOf>
let of: string
before(async () => {
  portal = await openPortalScene()
  const { id, key } = await createKey(
    portal.service.database,
    { tenant: portal.office.id },
    { user: portal.office.owner.user_id, name: 'Claude', scopes: SCOPES, expires_at: null },
  )
  of = id
  agent = callerOf(portal.service.url, key)
})
after(() => portal.service.stop())

const get = (id: string): Promise<Result> => portal.office.call('quotes_get', { id })
const update = (id: string, status: string, call = portal.office.call): Promise<Result> =>
  call('quotes_update', { id, status })
const statuses = async (...ids: string[]): Promise<string[]> =>
  Promise.all(ids.map(async (id) => (await get(id))['status']))

/** Creates two options with deposits, sent by default. */
async function twoOptions(status = 'sent'): Promise<{ path: string; good: string; best: string }> {
  const line_items = [{ name: 'Repair', unit_price_cents: 20_000 }]
  const good = String((await portal.quote({ title: 'Good', line_items }, 'draft'))['id'])
  await submit(portal.office.browser, portal.office.at('quotes', good, 'do', 'quotes_ask_deposit'), {
    'deposit.value': '50',
    'deposit.type': 'percent',
  })
  const { location } = await portal.office.browser.post(portal.office.at('quotes', good, 'do', 'quotes_add_option'), {})
  const best = location?.split('/').at(-1)?.split('?')[0] ?? ''
  await portal.office.call('quotes_update', { id: best, title: 'Best' })
  if (status === 'sent') await update(good, 'sent')
  return { path: await portal.issue({ kind: 'quotes', id: good }), good, best }
}

/** Opens the form that accepts an option. Returns a function that submits it. */
async function acceptForm(path: string): Promise<() => ReturnType<ReturnType<PortalScene['browser']>['post']>> {
  const browser = portal.browser()
  const shown = fieldValueOf((await browser.get(`${path}/accept`)).text, 'shown')
  return () => browser.post(`${path}/accept`, { shown, name: 'Maria Lopez' })
}

const depositsOf = (...quotes: string[]): Promise<{ deposit_of: string; status: string }[]> =>
  portal.all(sql`select deposit_of, status from invoices where deposit_of = any(${quotes}::uuid[]) order by number`)

describe('two options accepted at once', () => {
  it('result in one accepted and one deposit; the other request gets 409 with the reason', async () => {
    for (let round = 0; round < 8; round++) {
      const { path, good, best } = await twoOptions()
      const forms = await Promise.all([good, best].map((id) => acceptForm(`${path}/quotes/${id}`)))
      const answers = await Promise.all(forms.map((send) => send()))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 409])
      assert.match(pageTextOf(answers.find(({ status }) => status === 409)!), /Another option was accepted/)
      assert.deepEqual((await statuses(good, best)).sort(), ['accepted', 'declined'])
      assert.equal((await depositsOf(good, best)).length, 1)
    }
  })

  it('result in one accepted when the office and the customer accept at once', async () => {
    for (let round = 0; round < 4; round++) {
      const { path, good, best } = await twoOptions()
      const send = await acceptForm(`${path}/quotes/${good}`)
      await Promise.all([send(), update(best, 'accepted').catch((error: Error) => error)])
      assert.deepEqual((await statuses(good, best)).sort(), ['accepted', 'declined'])
      assert.equal((await depositsOf(good, best)).length, 1)
    }
  })
})

describe('a set of options', () => {
  it('stays acceptable when another option is archived before or during acceptance', async () => {
    const { path, good, best } = await twoOptions()
    const send = await acceptForm(`${path}/quotes/${best}`)
    await portal.office.call('quotes_archive', { id: best })
    assert.equal((await send()).status, 409)
    const last = await acceptForm(`${path}/quotes/${good}`)
    assert.equal((await last()).status, 303)
    assert.deepEqual(await statuses(good), ['accepted'])
    for (let round = 0; round < 4; round++) {
      const other = await twoOptions()
      const press = await acceptForm(`${other.path}/quotes/${other.good}`)
      const [answer] = await Promise.all([press(), portal.office.call('quotes_archive', { id: other.best })])
      assert.deepEqual([answer.status, await statuses(other.good)], [303, ['accepted']])
    }
  })

  it('has a deposit for the option accepted last, and the first deposit is void', async () => {
    const { good, best } = await twoOptions()
    await update(good, 'accepted')
    const { rows } = await portal.office.call('invoices_list', { query: 'Good' })
    await portal.office.call('invoices_void', { id: rows[0].id })
    await update(good, 'declined')
    await update(best, 'draft')
    await update(best, 'accepted')
    assert.deepEqual(
      (await depositsOf(good, best)).map(({ deposit_of, status }) => [deposit_of, status]),
      [
        [good, 'void'],
        [best, 'draft'],
      ],
    )
  })
})

describe("undoing an agent's change to an option", () => {
  /** Undoes the agent's last change to a quote. Returns the resulting page. */
  async function undoLast(id: string): Promise<string> {
    const [{ change_id: change }] = (await portal.all<{ change_id: string }>(
      sql`select change_id from audit where record_id = ${id} and credential_id = ${of} order by at desc, id desc limit 1`,
    )) as [{ change_id: string }]
    const address = `${portal.office.at('undo')}?${new URLSearchParams({ change }).toString()}`
    const page = await portal.office.browser.get(address)
    if (!/action="[^"]*\/undo"/.test(page.text)) return pageTextOf(page)
    return pageTextOf(await undoFrom(portal.office.browser, portal.office, address))
  }

  it('reverts to draft all options that were sent together', async () => {
    const { good, best } = await twoOptions('draft')
    await update(good, 'sent', agent.call)
    assert.deepEqual(await statuses(good, best), ['sent', 'sent'])
    assert.ok((await portal.office.entries(best)).some(({ tool }) => tool === 'quotes.option_sent'))
    await undoLast(good)
    assert.deepEqual(await statuses(good, best), ['draft', 'draft'])
  })

  it('sends the option again, and leaves another one in draft that the office is changing', async () => {
    const { good, best } = await twoOptions()
    await update(best, 'draft', agent.call)
    await update(good, 'draft')
    await undoLast(best)
    assert.deepEqual(await statuses(good, best), ['draft', 'sent'])
    assert.equal((await get(best))['option_set'], (await get(good))['option_set'])
  })

  it('is refused when another option was accepted since', async () => {
    const { good, best } = await twoOptions()
    await update(best, 'expired', agent.call)
    await update(good, 'accepted')
    await undoLast(best)
    assert.deepEqual(await statuses(good, best), ['accepted', 'expired'])
  })

  it('is refused after acceptance, which also closed the other options', async () => {
    const { good, best } = await twoOptions()
    await update(good, 'accepted', agent.call)
    assert.ok((await portal.office.entries(best)).some(({ tool }) => tool === 'quotes.option_closed'))
    await undoLast(good)
    assert.deepEqual(await statuses(good, best), ['accepted', 'declined'])
  })
})
