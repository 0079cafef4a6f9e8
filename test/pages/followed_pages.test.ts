import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import { getRequestListener } from '@hono/node-server'
import { html } from '../../src/platform/html/html.ts'
import { layout } from '../../src/platform/html/layout.ts'
import { pageResponse, redirect } from '../../src/platform/http/answer.ts'
import { newPageRouter } from '../../src/platform/http/page_request.ts'
import { withReader } from '../../src/platform/i18n/reader.ts'
import { sessionCookie } from '../../src/identity/sign_in/session_cookie.ts'
import { followPage } from '../../src/web/follow_page.ts'
import { openEventStream, type Following } from '../harness/event_stream.ts'

/** Responses of the page, one per request. The last one repeats. */
let looks: (() => Response | Promise<Response>)[]
let count: number
let closing: AbortController
const cookie = sessionCookie('http://localhost')

const page = (text: string, isUnderWay = true): Response =>
  withReader({ language: 'en', country: 'US' }, () =>
    pageResponse(layout({ title: text, body: html`<p>${text}</p>`, ...(isUnderWay && { refreshes: 2 }) })),
  )
const show = async (): Promise<Response> => {
  const look = looks[Math.min(count++, looks.length - 1)]
  assert.ok(look !== undefined)
  return look()
}
const router = newPageRouter().get('/work', (visit) =>
  followPage({ cookie, changes: { closed: closing.signal } }, visit, show),
)
const server = createServer(
  (req, res) => void getRequestListener(router.fetch, { overrideGlobalObjects: false })(req, res),
)
const baseUrl = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

before(async () => {
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
})
after(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  count = 0
  closing = new AbortController()
})

let sessions = 0
const follow = (session = `session-${++sessions}`): Promise<Following> =>
  openEventStream(baseUrl(), { jar: new Map([['callout_session', session]]) }, '/work')

/** Returns the text of each page in a stream. */
const pagesIn = (events: string): string[] =>
  [...events.matchAll(/event: page\ndata: (.*)\n\n/g)].map(([, data = '']) => {
    const text: unknown = JSON.parse(data)
    return /<p>(.*)<\/p>/.exec(String(text))?.[1] ?? String(text)
  })

describe('the page of a running task', () => {
  it('refreshes itself in a browser without JavaScript', async () => {
    looks = [() => page('1 of 3')]
    const response = await fetch(`${baseUrl()}/work`, { headers: { accept: 'text/html' } })
    assert.match(await response.text(), /<noscript><meta http-equiv="refresh" content="2"><\/noscript>[^]*following/)
    assert.equal(count, 1)
  })

  it('streams every changed version until the work is done', async () => {
    looks = [() => page('1 of 3'), () => page('1 of 3'), () => page('2 of 3'), () => page('Done', false)]
    const stream = await follow()
    assert.deepEqual([stream.status, stream.type], [200, 'text/event-stream; charset=utf-8'])
    assert.deepEqual(pagesIn(await stream.ended()), ['1 of 3', '2 of 3', 'Done'])
    assert.equal(count, 4)
  })

  it('ends the stream at once when nothing is running', async () => {
    looks = [() => page('Done', false)]
    assert.deepEqual(pagesIn(await (await follow()).ended()), ['Done'])
  })

  it('streams an empty page on a redirect, so that the browser follows it', async () => {
    looks = [() => page('1 of 3'), () => redirect('/list')]
    assert.deepEqual(pagesIn(await (await follow()).ended()), ['1 of 3', ''])
  })

  it("ends the stream when it can't be shown any more, and the next request gets the error", async () => {
    looks = [
      () => page('1 of 3'),
      () => {
        throw new Error('Not a member any more')
      },
    ]
    assert.deepEqual(pagesIn(await (await follow()).ended()), ['1 of 3'])
    looks = [() => new Response('nothing here', { status: 404 })]
    const refused = await follow()
    assert.deepEqual([refused.status, await refused.ended()], [404, 'nothing here'])
  })

  it('ends the stream when the service stops', async () => {
    looks = [() => page('1 of 3')]
    const stream = await follow()
    await stream.until(/1 of 3/)
    closing.abort()
    await stream.ended()
  })

  it('allows six streams per session, returns 429 for the seventh, and stops polling once they close', async () => {
    looks = [() => page('1 of 3')]
    const six = await Promise.all(Array.from({ length: 6 }, () => follow('crowd')))
    const seventh = await follow('crowd')
    assert.deepEqual([seventh.status, await seventh.ended()], [429, 'Too many pages are being followed'])
    assert.equal((await follow('another')).status, 200)
    await six[0]?.close()
    for (let status = 0; status !== 200;) {
      const next = await follow('crowd')
      status = next.status
      if (status !== 200) await next.ended()
    }
    closing.abort()
    await Promise.all(six.slice(1).map((stream) => stream.ended()))
    const before = count
    looks = [() => page('Done', false)]
    assert.deepEqual(pagesIn(await (await follow('crowd')).ended()), ['Done'])
    assert.equal(count, before + 1)
  })
})
