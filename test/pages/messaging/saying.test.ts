import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { redirectWithMessage } from '../../../src/web/flash_message.ts'
import type { TestService } from '../../harness/harness.ts'
import { openOffice, pageTextOf, submit, type Office } from '../../harness/identity/people_pages.ts'
import { startSite } from '../../harness/web_client.ts'

let service: TestService
let office: Office

before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
})
after(() => service.stop())

describe('the message after a redirect', () => {
  it('is shown once, on the next page', async () => {
    const { browser, at } = office
    const page = at('settings')
    await submit(browser, page, { name: 'Ana Alder' }, at('settings', 'you'))
    const next = await browser.get(page)
    assert.match(next.text, /role="status">\s*<p><b>Saved<\/b>/)
    assert.match(pageTextOf(next), /Ana Alder/)
    assert.doesNotMatch((await browser.get(page)).text, /role="status"/)
  })

  it('is escaped, drops links to other sites, and is ignored when its cookie is invalid', async () => {
    const { browser, at } = office
    const answer = redirectWithMessage('/', {
      sentence: '<b>Done</b>',
      next: { label: 'Go', href: 'https://elsewhere.example/' },
      undo: { action: '//elsewhere.example/', fields: {} },
    })
    const [pair = ''] = answer.headers.getSetCookie()[0]!.split(';')
    const [name = '', value = ''] = pair.split('=')
    browser.jar.set(name, value)
    const told = await browser.get(at('settings'))
    assert.match(told.text, /&lt;b&gt;Done&lt;\/b&gt;/)
    assert.doesNotMatch(told.text, /elsewhere/)
    for (const given of ['x', 'bnVsbA', 'A'.repeat(9_000)]) {
      browser.jar.set(name, given)
      const seen = await browser.get(at('settings'))
      assert.equal(seen.status, 200)
      assert.doesNotMatch(seen.text, /role="status"/)
    }
    browser.jar.delete(name)
  })

  it('fits into a cookie, whatever the size of its content', () => {
    for (const count of [1, 50, 5_000]) {
      const [cookie = ''] = redirectWithMessage('/', {
        sentence: 'Ü'.repeat(count),
        notes: Array.from({ length: count }, () => 'The visit stays on the schedule'),
        undo: { action: '/x', fields: { body: 'y'.repeat(count) } },
      }).headers.getSetCookie()
      assert.ok(cookie.length < 4_096, `${cookie.length}`)
      assert.match(cookie, /HttpOnly; SameSite=Lax/)
    }
  })
})

describe("a user's profile", () => {
  it('sets their name and language', async () => {
    const { browser, at } = office
    await submit(browser, at('settings'), { name: 'Ana María', language: 'es' }, at('settings', 'you'))
    const seen = await browser.get(at('settings'))
    assert.match(seen.text, /<html lang="es">/)
    assert.match(pageTextOf(seen), /Ana María[^]*Guardado[^]*Idioma/)
    await submit(browser, at('settings'), { name: 'Ana Alder', language: '' }, at('settings', 'you'))
    assert.match((await browser.get(at('settings'))).text, /<html lang="en">/)
  })

  it('requires a name and a supported language', async () => {
    const { browser, at } = office
    for (const [typed, problem] of [
      [{ name: ' ' }, /<p>Enter a name\.<\/p>/],
      [{ name: 'x'.repeat(201) }, /<p>The name is too long\. Use at most 200 characters\.<\/p>/],
      [{ language: 'tlh' }, /<p>Choose a language from the list\.<\/p>/],
    ] as const) {
      const { status, text } = await submit(browser, at('settings'), typed, at('settings', 'you'))
      assert.equal(status, 422)
      assert.match(text, problem)
      assert.match(pageTextOf(await browser.get(at('settings'))), /Ana Alder/)
    }
  })
})
