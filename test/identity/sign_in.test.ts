import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/platform/db/database.ts'
import type { TestService } from '../harness/harness.ts'
import { PASSWORD, createCompany, startSite, newBrowser, type BrowserResponse } from '../harness/web_client.ts'

let service: TestService
let north: Awaited<ReturnType<typeof createCompany>>
let ana: string

before(async () => {
  service = await startSite()
  north = await createCompany(service, 'Northside Heating')
  ana = north.owner.email
})
after(() => service.stop())

const signInAs = async (email = ana) => {
  const browser = newBrowser(service)
  assert.equal((await browser.signIn(email)).status, 303)
  return browser
}

describe('a successful sign-in', () => {
  it('goes on to the requested page', async () => {
    const browser = newBrowser(service)
    const { status, location } = await browser.get(`/${north.id}?tab=x`)
    assert.deepEqual([status, location], [303, `/sign-in?to=${encodeURIComponent(`/${north.id}?tab=x`)}`])
    const page = await browser.get(location!)
    assert.equal(page.status, 200)
    assert.ok(page.text.includes(`<input type="hidden" name="to" value="/${north.id}?tab=x">`))
    const entered = await browser.signIn(ana, `/${north.id}?tab=x`)
    assert.deepEqual([entered.status, entered.location], [303, `/${north.id}?tab=x`])
    assert.match((await browser.get(entered.location!)).text, /<p class="eyebrow">Northside Heating<\/p>/)
  })

  it('sets an HttpOnly SameSite cookie whose secret is stored only as a hash', async () => {
    const { headers } = await newBrowser(service).signIn(ana)
    const [cookie = ''] = headers.getSetCookie()
    assert.match(cookie, /^callout_session=[\w-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/)
    const secret = /=([^;]*)/.exec(cookie)![1]!
    const [known] = await service.database.send([
      sql`select count(*) as n from sessions where hash = sha256(${Buffer.from(secret)})`,
    ])
    assert.equal(known!.rows[0]!['n'], 1)
  })

  it('sets a __Host- cookie and HSTS when the service uses https', async () => {
    const secure = await startSite({ BASE_URL: 'https://callout.test' })
    const { owner } = await createCompany(secure, 'Northside Heating')
    const response = await fetch(`${secure.origin}/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: 'https://callout.test' },
      body: new URLSearchParams({ email: owner.email, password: PASSWORD }),
    })
    assert.match(
      response.headers.getSetCookie()[0]!,
      /^__Host-callout_session=[\w-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure$/,
    )
    assert.equal(response.headers.get('strict-transport-security'), 'max-age=31536000')
    await secure.stop()
  })

  it('is skipped with a session, which leads to the company or a choice of several', async () => {
    const browser = await signInAs()
    assert.equal((await browser.get('/sign-in?to=/x')).location, '/x')
    assert.equal((await browser.get('/')).location, `/${north.id}`)
    const alder = await createCompany(service, 'Alder & Sons <b>')
    await alder.join('tech', { email: ana })
    const choice = await browser.get('/')
    assert.match(
      choice.text,
      /Choose a company[^]*Alder &amp; Sons &lt;b&gt;[^]*Technician[^]*Northside Heating[^]*Owner/,
    )
    assert.ok(choice.text.includes(`href="/${alder.id}"`) && choice.text.includes(`href="/${north.id}"`))
  })

  it('ends on sign-out, even for a kept copy of the cookie', async () => {
    const browser = await signInAs()
    const kept = new Map(browser.jar)
    const out = await browser.post('/sign-out', {})
    assert.deepEqual([out.status, out.location, [...browser.jar.keys()]], [303, '/sign-in', ['callout_known']])
    for (const [name, value] of kept) browser.jar.set(name, value)
    assert.match((await browser.get(`/${north.id}`)).location ?? '', /^\/sign-in/)
  })

  it("ends the browser's earlier session", async () => {
    const browser = await signInAs()
    const before = new Map(browser.jar)
    await browser.signIn(ana)
    assert.notDeepEqual(browser.jar, before)
    const old = newBrowser(service)
    for (const [name, value] of before) old.jar.set(name, value)
    assert.match((await old.get(`/${north.id}`)).location ?? '', /^\/sign-in/)
  })

  it('never adopts a session secret that the browser sends', async () => {
    const browser = newBrowser(service)
    browser.jar.set('callout_session', 'A'.repeat(43))
    await browser.signIn(ana)
    assert.notEqual(browser.jar.get('callout_session'), 'A'.repeat(43))
  })

  it('serves the sign-in page and its files in less than 15 kB, without fonts', async () => {
    const browser = newBrowser(service)
    const page = await browser.get('/sign-in')
    const files = [...page.text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!)
    assert.ok(files.length >= 2)
    const sizes = await Promise.all(
      [...new Set(files)].map(async (path) => {
        const { status, headers } = await browser.send(path, { headers: { 'accept-encoding': 'br' } })
        assert.equal(status, 200, path)
        const size = Number(headers.get('content-length'))
        if (headers.get('content-type') !== 'font/woff2') return { size, typefaces: 0 }
        assert.match(headers.get('cache-control') ?? '', /\bimmutable\b/)
        return { size: 0, typefaces: size }
      }),
    )
    const total = sizes.reduce((sum, { size }) => sum + size, Buffer.byteLength(page.text))
    const typefaces = sizes.reduce((sum, one) => sum + one.typefaces, 0)
    assert.ok(total < 15_000, `${total} bytes`)
    assert.ok(typefaces > 0 && typefaces < 60_000, `${typefaces} bytes of typefaces`)
  })
})

describe('a failed sign-in', () => {
  it('returns the same page for a wrong password and an unknown address, and escapes input', async () => {
    const browser = newBrowser(service)
    const [wrong, unknown] = await Promise.all([
      browser.signIn(ana, '/', 'not the password'),
      browser.signIn('nobody@example.com'),
    ])
    assert.deepEqual([wrong.status, unknown.status, browser.jar.size], [422, 422, 0])
    assert.equal(wrong.text.replaceAll(ana, ''), unknown.text.replaceAll('nobody@example.com', ''))
    assert.match(wrong.text, /role="alert"[^]*Incorrect email address or password/)
    assert.ok(!wrong.text.includes('not the password'))
    const hostile = await browser.signIn('"><script>alert(1)</script>@example.com')
    assert.ok(hostile.text.includes('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;@example.com"'))
  })

  it('returns 429 with Retry-After after too many attempts', async () => {
    await service.database.send([
      sql`insert into attempts (subject, begun_at, tries) values (sha256('sign-in account slow@example.com from 127.0.0.0/24'), moment(), 10)`,
    ])
    const { status, headers, text } = await newBrowser(service).signIn('slow@example.com')
    assert.equal(status, 429)
    assert.ok(Number(headers.get('retry-after')) > 0)
    assert.match(text, /Too many attempts[^]*Wait 15 minutes/)
  })

  it('never locks out a browser known by its HttpOnly SameSite cookie', async () => {
    const { owner } = await createCompany(service, 'Westside Heating')
    const browser = newBrowser(service)
    const [, cookie = ''] = (await browser.signIn(owner.email)).headers.getSetCookie()
    assert.match(cookie, /^callout_known=[\w-]{43}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax$/)
    await browser.post('/sign-out', {})
    await service.database.send([
      sql`insert into attempts (subject, begun_at, tries)
      values (sha256(${Buffer.from(`sign-in account ${owner.email} from 127.0.0.0/24`)}), moment(), 1000)`,
    ])
    assert.equal((await newBrowser(service).signIn(owner.email)).status, 429)
    assert.equal((await browser.signIn(owner.email, '/', 'mistyped it once')).status, 422)
    assert.equal((await browser.signIn(owner.email)).status, 303)
  })

  it('counts X-Forwarded-For only from a trusted proxy', async () => {
    await service.database.send([
      sql`insert into attempts (subject, begun_at, tries) values (sha256('sign-in address 198.51.100.7'), moment(), 1000)`,
    ])
    const signInBehindProxy = (site: TestService): Promise<BrowserResponse> =>
      newBrowser(site).post(
        '/sign-in',
        { email: ana, password: PASSWORD },
        { origin: site.config.baseUrl, 'x-forwarded-for': '198.51.100.7' },
      )
    assert.equal((await signInBehindProxy(service)).status, 429)
    const direct = await startSite({ TRUSTED_PROXIES: '203.0.113.1' })
    await direct.database.send([
      sql`insert into attempts (subject, begun_at, tries) values (sha256('sign-in address 198.51.100.7'), moment(), 1000)`,
    ])
    assert.equal((await signInBehindProxy(direct)).status, 422)
    await direct.stop()
  })
})

describe('the redirect after sign-in', () => {
  it('goes only to local pages', async () => {
    for (const to of [
      '//evil.example',
      'https://evil.example/',
      '/\\evil.example',
      '/\t/evil.example',
      'javascript:alert(1)',
      '/..//evil.example',
    ]) {
      const browser = newBrowser(service)
      assert.ok((await browser.get(`/sign-in?to=${encodeURIComponent(to)}`)).text.includes('name="to" value="/"'), to)
      assert.equal((await browser.signIn(ana, to)).location, '/', to)
      assert.equal((await browser.post('/sign-out', { to })).location, '/sign-in', to)
    }
  })

  it('is not affected by forwarded headers', async () => {
    const { headers, text } = await newBrowser(service).send(`/${north.id}`, {
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example' },
    })
    assert.equal(headers.get('location'), `/sign-in?to=%2F${north.id}`)
    assert.doesNotMatch(text, /evil/)
  })
})

describe('a request from another site', () => {
  const origins: Record<string, Record<string, string>> = {
    'another site': { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    'another site, without Sec-Fetch-Site': { origin: 'https://evil.example' },
    'a sister site': { 'sec-fetch-site': 'same-site' },
    'a sandboxed frame': { origin: 'null' },
    'nobody knows where': {},
    'an address bar': { 'sec-fetch-site': 'none' },
  }
  for (const [from, headers] of Object.entries(origins)) {
    it(`as a form of ${from} gets 403 and does nothing`, async () => {
      const browser = newBrowser(service)
      const { status, text } = await browser.post('/sign-in', { email: ana, password: PASSWORD }, headers)
      assert.deepEqual([status, browser.jar.size], [403, 0])
      assert.match(text, /This request came from another site/)
      const inside = await signInAs()
      assert.equal((await inside.post('/sign-out', {}, headers)).status, 403)
      assert.equal((await inside.get('/')).status < 400, true)
      assert.notEqual((await inside.get('/')).location, '/sign-in?to=%2F')
    })
  }

  it('with a foreign Host gets 403', async () => {
    const { baseUrl } = service.config
    const statusFor = (headers: Record<string, string | string[]>): Promise<number> =>
      new Promise((resolve, reject) => {
        request(`${baseUrl}/sign-in`, { headers: { accept: 'text/html', ...headers } }, (response) =>
          resolve(response.resume().statusCode!),
        )
          .on('error', reject)
          .end()
      })
    assert.equal(await statusFor({ host: 'evil.example' }), 403)
    assert.equal(await statusFor({ host: new URL(baseUrl).host }), 200)
  })
})

describe('an invalid request', () => {
  it('to an unknown path returns 404, as HTML for browsers and as JSON for programs', async () => {
    const browser = await signInAs()
    for (const path of ['/nothing', `/${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}`, `/${'-'.repeat(36)}`]) {
      const { status, text } = await browser.get(path)
      assert.equal(status, 404, path)
      assert.match(text, /Page not found/)
    }
    const response = await fetch(`${service.config.baseUrl}/nothing`)
    assert.deepEqual(
      [response.status, await response.json()],
      [404, { error: 'not_found', error_description: 'There is nothing at this address' }],
    )
  })

  it('with the wrong method returns 405 with Allow', async () => {
    const browser = newBrowser(service)
    const headers = { origin: service.config.baseUrl }
    const put = await browser.send('/sign-in', { method: 'PUT', headers })
    assert.deepEqual([put.status, put.headers.get('allow')], [405, 'GET, HEAD, POST'])
    const get = await browser.get('/sign-out')
    assert.deepEqual([get.status, get.headers.get('allow')], [405, 'POST'])
    assert.equal((await browser.send('/sign-in', { method: 'HEAD' })).status, 200)
  })

  it("returns 413 when it is too large and 415 when it isn't a form", async () => {
    const browser = newBrowser(service)
    const headers = { origin: service.config.baseUrl }
    const body = new URLSearchParams({ email: ana, password: 'x'.repeat(710_000) })
    assert.equal((await browser.send('/sign-in', { method: 'POST', headers, body })).status, 413)
    const sendChunked = (text: string): Promise<BrowserResponse> => {
      const stream = new ReadableStream({
        start: (to) => {
          to.enqueue(Buffer.from(text))
          to.close()
        },
      })
      return browser.send('/sign-in', {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
        body: stream,
        duplex: 'half',
      } as never)
    }
    assert.equal((await sendChunked(body.toString())).status, 413)
    assert.equal((await sendChunked(new URLSearchParams({ email: ana, password: PASSWORD }).toString())).status, 303)
    assert.equal(
      (
        await browser.send('/sign-in', {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: '{}',
        })
      ).status,
      415,
    )
  })

  it('for another company or one the person left returns 404', async () => {
    const other = await createCompany(service, 'Elsewhere')
    const leaver = await createCompany(service, 'Left behind')
    await leaver.join('office', { email: other.owner.email })
    const browser = await signInAs(other.owner.email)
    assert.equal((await browser.get(`/${leaver.id}`)).status, 200)
    await service.database.send([
      sql`select enter_tenant(${leaver.id}, null, 0)`,
      sql`update members set deactivated_at = moment() where user_id = ${other.owner.user_id}`,
    ])
    assert.equal((await browser.get(`/${leaver.id}`)).status, 404)
    assert.equal((await browser.get(`/${north.id}`)).status, 404)
  })
})
