import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openOffice, type Office } from '../../bench/cost/office.ts'
import { patternsOf } from '../../bench/cost/targets.ts'

let office: Office
before(async () => {
  office = await openOffice()
})
after(() => office.stop())

/** Text with the letters and length of an ID that isn't one. No column accepts it. */
const NO_ID = 'ab-'.repeat(12)

const ask = (method: 'GET' | 'POST', path: string): Promise<Response> =>
  fetch(new URL(path, office.service.config.baseUrl), {
    method,
    redirect: 'manual',
    headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin', cookie: office.cookie() },
    ...(method === 'POST' ? { body: new URLSearchParams({ act: 'mail' }) } : {}),
  })

/** Returns a route's URLs, each with one ID replaced by an invalid one. */
function withoutIds(pattern: string): string[] {
  const steps = pattern.split('/').map((step) => (/^:(?!tenant).*\{36\}/.test(step) ? NO_ID : undefined))
  const usual = office.pathsOf(pattern)[0]!.split('/')
  return steps.flatMap((step, i) => (step === undefined ? [] : [usual.with(i, step).join('/')]))
}

describe('a URL with a malformed ID', () => {
  for (const method of ['GET', 'POST'] as const)
    it(`returns 404 on every route with an ID (${method})`, async () => {
      const paths = [...new Set(patternsOf(office, method).flatMap(withoutIds))]
      assert.ok(paths.length > 50)
      for (const path of paths) {
        const { status } = await ask(method, path)
        assert.equal(status, 404, path)
      }
      assert.deepEqual(office.faults(), [])
    })

  it('gets an HTML or JSON error, as the Accept header asks', async () => {
    const path = `/${office.tenant}/jobs/${NO_ID}`
    assert.match(await (await ask('GET', path)).text(), /<h1>Page not found<\/h1>/)
    const answer = await fetch(new URL(path, office.service.config.baseUrl), {
      headers: { accept: 'application/json', cookie: office.cookie() },
    })
    assert.equal(answer.status, 404)
    assert.equal(((await answer.json()) as { error: string }).error, 'not_found')
  })

  it('returns 404 for invitations and members too, whose routes accept any string as ID', async () => {
    for (const step of ['invitations/a%2500', 'members/a%2500/sign-out', 'members/%25/reset-factors'])
      assert.equal((await ask('POST', `/${office.tenant}/settings/${step}`)).status, 404, step)
    assert.deepEqual(office.faults(), [])
  })
})
