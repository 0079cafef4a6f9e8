import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { brotliCompressSync } from 'node:zlib'
import type { TestService } from '../harness/harness.ts'
import { ZONE } from '../harness/messaging/phones.ts'
import { openSchedule, type Schedule } from '../harness/database/schedules.ts'
import { startSite, newBrowser } from '../harness/web_client.ts'

let service: TestService
let company: Schedule

const fetchPath = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(new URL(path, service.config.baseUrl), { redirect: 'manual', ...init })

/** Returns what a service worker's script caches. */
const cacheOf = (script: string): { version: string; shell: string; keeps: string[] } =>
  JSON.parse(/^self\.kept = (.*)$/m.exec(script)![1]!) as never

describe('the field app page', () => {
  before(async () => {
    service = await startSite()
    company = await openSchedule(service, 'Alder Plumbing', ZONE)
  })
  after(() => service.stop())

  it("requires a sign-in, and redirects to the user's only company", async () => {
    const stranger = await newBrowser(service).get('/field/')
    assert.equal(stranger.location, '/sign-in?to=%2Ffield%2F')
    const { browser } = company
    assert.equal((await browser.get('/field')).location, `/field/${company.id}/`)
    assert.equal((await browser.get(`/field/${company.id}`)).location, `/field/${company.id}/`)
    const page = await browser.get(`/field/${company.id}/`)
    assert.equal(page.status, 200)
    assert.match(page.headers.get('content-security-policy')!, /img-src 'self' blob:.*manifest-src 'self'/)
    const foreign = await browser.get('/field/00000000-0000-4000-8000-000000000000/')
    assert.equal(foreign.status, 404)
  })

  it('is cached by one service worker version per language, without personal data', async () => {
    const { browser } = company
    const english = cacheOf(await (await fetchPath('/field/worker.js?in=en')).text())
    const spanish = cacheOf(await (await fetchPath('/field/worker.js?in=es')).text())
    assert.notEqual(english.version, spanish.version)
    const mine = await browser.get(english.shell)
    assert.equal(mine.text, await (await fetchPath(english.shell)).text())
    assert.match(mine.text, /My visits/)
    assert.match(await (await fetchPath(spanish.shell)).text(), /<html lang="es">[^]*Mis visitas/)
  })

  it('transfers less than 60 kB on first load with everything cached, fonts excluded', async () => {
    const { shell, keeps } = cacheOf(await (await fetchPath('/field/worker.js?in=en')).text())
    let bytes = brotliCompressSync(await (await fetchPath(shell)).text()).length
    let typefaces = 0
    for (const address of keeps) {
      const response = await fetchPath(address, { headers: { 'accept-encoding': 'br' } })
      assert.equal(response.status, 200, address)
      const size = Number(response.headers.get('content-length'))
      if (response.headers.get('content-type') === 'font/woff2') {
        assert.match(response.headers.get('cache-control') ?? '', /\bimmutable\b/, address)
        typefaces += size
      } else bytes += size
    }
    assert.ok(bytes < 60_000, `${bytes} bytes`)
    assert.ok(typefaces > 0 && typefaces < 60_000, `${typefaces} bytes of typefaces`)
  })

  it('has a manifest whose icons exist', async () => {
    const response = await fetchPath('/field/manifest.webmanifest')
    assert.equal(response.headers.get('content-type'), 'application/manifest+json')
    const { scope, icons } = (await response.json()) as { scope: string; icons: { src: string }[] }
    assert.equal(scope, '/field/')
    for (const { src } of icons) assert.equal((await fetchPath(src)).headers.get('content-type'), 'image/png')
  })

  it('returns 405 with Allow for other methods', async () => {
    for (const path of ['/field/worker.js', '/field/manifest.webmanifest', '/field/shell']) {
      assert.equal((await fetchPath(path, { method: 'HEAD' })).status, 200)
      const { status, headers } = await company.browser.post(path, {})
      assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD'])
    }
  })
})
