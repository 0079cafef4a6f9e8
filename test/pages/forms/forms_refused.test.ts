import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Result, TestService } from '../../harness/harness.ts'
import { formAt, idAt, openOffice, pageTextOf, type Office } from '../../harness/identity/people_pages.ts'
import { startSite, newBrowser, type BrowserResponse } from '../../harness/web_client.ts'

let service: TestService
let office: Office
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
})
after(() => service.stop())

const HOSTILE = '<script>alert(1)</script>"\'&'
const newTag = (name: string): Promise<Result> => office.call('tags_create', { name })
const namedTags = async (query: string): Promise<Result[]> => (await office.call('tags_list', { query })).rows

describe('a form or page requested without a session', () => {
  it('keeps the typed form through sign-in, and sends it afterwards', async () => {
    const away = newBrowser(service)
    const sent = await away.post(office.at('tags', 'new'), { name: `Typed ${HOSTILE}` })
    assert.equal(sent.status, 401)
    const [typed] = formAt(sent, '/sign-in').filter(([name]) => name === 'typed')
    const wrong = await away.post('/sign-in', {
      ...Object.fromEntries(formAt(sent, '/sign-in')),
      email: office.owner.email,
      password: 'not the password',
    })
    assert.deepEqual([wrong.status, formAt(wrong, '/sign-in').find(([name]) => name === 'typed')], [422, typed])
    const back = await submitSignIn(away, sent)
    assert.ok(pageTextOf(back).includes('Your changes are still here') && !back.text.includes('<script>alert'))
    const { location } = await away.post(
      office.at('tags', 'new'),
      Object.fromEntries(formAt(back, office.at('tags', 'new'))),
    )
    assert.equal((await office.call('tags_get', { id: idAt(location) })).name, `Typed ${HOSTILE}`)
  })

  it('returns to the requested page after sign-in, including its query', async () => {
    const away = newBrowser(service)
    const { location } = await away.get(`${office.at('tags')}?query=a%26b`)
    assert.equal(location, `/sign-in?to=${encodeURIComponent(`${office.at('tags')}?query=a%26b`)}`)
    assert.equal(
      (await away.signIn(office.owner.email, `${office.at('tags')}?query=a%26b`)).location,
      `${office.at('tags')}?query=a%26b`,
    )
  })

  const submitSignIn = (away: ReturnType<typeof newBrowser>, page: BrowserResponse): Promise<BrowserResponse> =>
    away.post('/sign-in', {
      ...Object.fromEntries(formAt(page, '/sign-in')),
      email: office.owner.email,
      password: 'correct horse battery',
    })
})

describe('a refused form', () => {
  it('gets 403 when sent from another site, even with a valid session', async () => {
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

  it('gets 413 when too large, and 415 for another content type', async () => {
    const large = await office.browser.post(office.at('tags', 'new'), { name: 'x'.repeat(600 * 1024) })
    assert.equal(large.status, 413)
    assert.ok(pageTextOf(large).includes('512 kB'))
    const json = await office.browser.send(office.at('tags', 'new'), {
      method: 'POST',
      body: '{"name":"x"}',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    })
    assert.equal(json.status, 415)
  })

  it('gets 405 with an Allow header for an unsupported method', async () => {
    const answer = await office.browser.send(office.at('tags', 'new'), {
      method: 'DELETE',
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'GET, HEAD, POST'])
  })
})
