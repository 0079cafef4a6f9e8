import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createKey } from '../../src/identity/credentials/keys.ts'
import { sql } from '../../src/platform/db/tenant.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { addPasskey } from '../harness/identity/factors.ts'
import { openSettings } from '../harness/identity/settings.ts'
import { createCompany, newBrowser, type Browser } from '../harness/web_client.ts'

type Settings = Awaited<ReturnType<typeof openSettings>>
let service: Settings['service']
let company: Settings['company']
let owner: Settings['owner']
let signInAs: Settings['signInAs']
let at: Settings['at']
before(async () => {
  ;({ service, company, owner, signInAs, at } = await openSettings())
})
after(() => service.stop())

const idsOn = (page: string): string[] => [...page.matchAll(/name="session" value="([\w-]{36})"/g)].map(([, id]) => id!)
const sessionsOf = async (browser: Browser): Promise<string[]> => idsOn((await browser.get(at('sign-ins'))).text)

describe("the list of a person's sessions", () => {
  it('shows every browser, and the current one without a button to end it', async () => {
    const tech = await company.hire('tech')
    const [one, two] = [await signInAs(tech.email), await signInAs(tech.email)]
    const { text } = await one.get(at('sign-ins'))
    assert.match(text, /This browser, now/)
    assert.match(text, /with a password/)
    assert.equal(idsOn(text).length, 1)
    assert.equal((await sessionsOf(two)).length, 1)
  })

  it('can end one other session immediately, and no more', async () => {
    const tech = await company.hire('tech')
    const [one, two, three] = [await signInAs(tech.email), await signInAs(tech.email), await signInAs(tech.email)]
    const other = await sessionsOf(one)
    const [secondOwn] = await service.database.send([
      sql`select id from sessions where user_id = ${tech.user_id} order by created_at, id`,
    ])
    const ids = (secondOwn!.rows as { id: string }[]).map(({ id }) => id)
    assert.ok(other.every((id) => ids.includes(id)))
    const ended = other[0]!
    assert.equal((await one.post(at('sign-ins'), { session: ended })).status, 303)
    const statuses = (await Promise.all([one, two, three].map((browser) => browser.get(at('sign-ins'))))).map(
      ({ status }) => status,
    )
    assert.deepEqual(
      statuses.toSorted((a, b) => a - b),
      [200, 200, 303],
    )
    assert.equal(statuses[0], 200)
    assert.match((await one.get(at('sign-ins'))).text, /Signed out another browser/)
  })

  it('can end all other sessions', async () => {
    const tech = await company.hire('tech')
    const [one, two, three] = [await signInAs(tech.email), await signInAs(tech.email), await signInAs(tech.email)]
    assert.equal((await one.post(at('sign-ins'), {})).status, 303)
    assert.match((await one.get(at('sign-ins'))).text, /2 other browsers are signed out/)
    assert.equal((await two.get(at('sign-ins'))).status, 303)
    assert.equal((await three.get(at('sign-ins'))).status, 303)
    assert.match((await one.get(at('sign-ins'))).text, /Signed out 2 other browsers/)
  })

  it("returns 404 for another person's session, an unknown or an invalid id, and ends none", async () => {
    const theirs = await company.hire('tech')
    const them = await signInAs(theirs.email)
    const [row] = await service.database.send([sql`select id from sessions where user_id = ${theirs.user_id}`])
    for (const id of [String(row!.rows[0]!['id']), newId(), 'x', "'"])
      assert.equal((await owner.post(at('sign-ins'), { session: id })).status, 404, id)
    assert.equal((await them.get(at('sign-ins'))).status, 200)
  })

  it("shows failed sign-ins with the browser's name and no IP address", async () => {
    const tech = await company.hire('tech')
    const browser = newBrowser(service)
    await browser.post('/sign-in', { email: tech.email, password: 'not the password at all' })
    const own = await signInAs(tech.email)
    // The response to a wrong password doesn't wait for its log entry.
    let { text } = await own.get(at('sign-ins'))
    for (let tries = 0; tries < 1_000 && !text.includes('Wrong password'); tries++)
      text = (await own.get(at('sign-ins'))).text
    assert.match(text, /Wrong password/)
    assert.doesNotMatch(text, /127\.0\.0/)
    assert.match(text, /the local network/)
  })
})

describe('the security log of a company', () => {
  it('shows sign-ins and who got access', async () => {
    const tech = await company.hire('tech')
    await signInAs(tech.email)
    await owner.post(at('keys'), { name: 'Report reader', expires: '', jobs: 'view' })
    await owner.post(at('members'), { email: 'soon@example.com', name: '', role: 'tech' })
    const { text } = await owner.get(at('log'))
    for (const said of [/Created the key Report reader/, /Invited soon@example\.com/, /Signed in with a password/])
      assert.match(text, said)
    assert.doesNotMatch(text, /svc_uk_/)
  })

  it('is visible only to owners', async () => {
    for (const role of ['office', 'tech'] as const) {
      const browser = await signInAs((await company.hire(role)).email)
      assert.equal((await browser.get(at('log'))).status, 404)
    }
    const stranger = await createCompany(service, 'West Landscaping')
    assert.equal((await (await signInAs(stranger.owner.email)).get(at('log'))).status, 404)
  })

  it('shows nothing from other companies or from before a person joined', async () => {
    const other = await createCompany(service, 'Far Plumbing')
    const browser = await signInAs(other.owner.email)
    await service.database.send([
      sql`update account_events set at = at - interval '3 days', device = 'Netscape' where user_id = ${other.owner.user_id}`,
    ])
    assert.doesNotMatch((await owner.get(at('log'))).text, /Netscape/)
    await company.join('tech', { email: other.owner.email })
    assert.doesNotMatch((await owner.get(at('log'))).text, /Netscape/)
    await service.database.send([
      sql`insert into account_events (id, user_id, kind, device) values (${newId()}, ${other.owner.user_id}, 'signed_in', 'Mosaic')`,
    ])
    assert.match((await owner.get(at('log'))).text, /Mosaic/)
    assert.equal((await browser.get(`/${other.id}/settings/log`)).status, 200)
  })

  it('describes each change of access rules, keys and links', async () => {
    const tech = await company.hire('tech')
    const { id } = await createKey(
      service.database,
      { tenant: company.id },
      { user: tech.user_id, name: 'Own', scopes: ['write:notes'], expires_at: null },
    )
    await owner.post(at('apps', 'policy'), { policy: 'ask' })
    await owner.post(at('apps', 'listed'), { app: 'apps.example' })
    await owner.post(at('apps', 'listed'), { act: 'unlist', kind: 'host', value: 'apps.example' })
    await owner.post(at('apps', 'policy'), { policy: 'anything' })
    await owner.post(at('removals'), { burst_limit: '7' })
    await addPasskey(service, owner)
    await owner.post(at('second-factor'), { asked: 'yes' })
    await owner.post(at('second-factor'), {})
    await owner.post(at('keys', id), { act: 'set', notes: 'propose' })
    await owner.post(at('members', tech.user_id, 'link'), {})
    await owner.post(at('company'), { name: 'Alder Plumbing Again' })
    const { text } = await owner.get(at('log'))
    for (const said of [
      'Changed the app policy',
      'Listed the app apps.example',
      'Took the app apps.example off the list',
      'Changed what keys, apps and the assistant may do without approval',
      'Required a second factor for everyone',
      'Stopped requiring a second factor',
      'Changed what a key does without approval',
      'Got a link for a new password',
    ])
      assert.ok(text.includes(said), said)
    assert.doesNotMatch(text, /Changed how they sign in|Alder Plumbing Again<\/td>/)
  })

  it("shows nothing from while a person wasn't a member", async () => {
    const person = await company.join('tech', {})
    const event = (device: string) =>
      service.database.send([
        sql`insert into account_events (id, user_id, kind, device) values (${newId()}, ${person.user_id}, 'signed_in', ${device})`,
      ])
    await event('Cello')
    assert.match((await owner.get(at('log'))).text, /Cello/)
    await owner.post(at('members', person.user_id), { act: 'remove' })
    await event('Lynx')
    await company.join('tech', { email: person.email })
    await event('Arachne')
    const { text } = await owner.get(at('log'))
    assert.match(text, /Arachne/)
    assert.doesNotMatch(text, /Lynx|Cello/)
  })

  it('pages without gaps, and an invalid cursor shows the first page', async () => {
    const tech = await company.hire('tech')
    await service.database.send(
      Array.from(
        { length: 60 },
        (_, i) =>
          sql`insert into account_events (id, user_id, kind, device) values (${newId()}, ${tech.user_id}, 'signed_in', ${`Browser ${i}.`})`,
      ),
    )
    const seen: string[] = []
    let next: string | undefined = at('log')
    for (let pages = 0; next !== undefined && pages < 10; pages++) {
      const { text }: { text: string } = await owner.get(next)
      seen.push(...[...text.matchAll(/Browser (\d+)\./g)].map(([, i]) => i!))
      next = /href="([^"]+)"\s+rel="next"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 60 }, (_, i) => String(59 - i)),
    )
    assert.equal((await owner.get(`${at('log')}?at=2026-13-45T99:99:99Z&id=${newId()}`)).status, 200)
    assert.equal((await owner.get(`${at('log')}?at=x&id=y`)).status, 200)
  })
})
