import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { pageResponse, ownPath, signInAnswer } from '../http/answer.ts'
import { assetAddress, assetAt } from '../http/assets.ts'
import { button, linkButton } from './parts/button.ts'
import { facts } from './parts/facts.ts'
import { field } from './parts/field.ts'
import { html, type Html } from './html.ts'
import { layout } from './layout.ts'
import { messageResponse, messagePage } from './message.ts'
import { notice } from './parts/notice.ts'
import { pager } from './parts/pager.ts'
import { radioGroup } from './parts/radio_group.ts'
import { status } from './parts/status.ts'
import { table } from './parts/table.ts'

const HOSTILE = `"'><script>alert(1)</script><img src=x onerror=alert(1)>&`
const ESCAPED = '&quot;&#39;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&amp;'

/** Script tags on every company page. */
const OURS = /<script type="module" src="\/assets\/(?:shell|form)\.[\w-]+\.js"><\/script>/g

const parts: Record<string, Html | ''> = {
  layout: layout({
    title: HOSTILE,
    body: html`${HOSTILE}`,
    person: { name: HOSTILE },
    company: { id: HOSTILE, name: HOSTILE },
    redirectTo: HOSTILE,
  }),
  shell: layout({
    title: HOSTILE,
    body: html`${HOSTILE}`,
    shell: {
      company: { name: HOSTILE, href: HOSTILE },
      person: { id: HOSTILE, name: HOSTILE },
      entries: [
        {
          label: HOSTILE,
          href: HOSTILE,
          icon: 'today',
          isHere: true,
          key: HOSTILE,
          count: { number: 1, label: HOSTILE },
          within: [{ label: HOSTILE, href: HOSTILE, isHere: false }],
        },
      ],
      below: [],
      createLinks: [{ label: HOSTILE, href: HOSTILE }],
      personLinks: [{ label: HOSTILE, href: HOSTILE }],
      search: { action: HOSTILE, query: HOSTILE },
      keys: { href: HOSTILE, areOn: true },
    },
  }),
  message: messagePage({ title: HOSTILE, body: HOSTILE, next: { label: HOSTILE, href: HOSTILE } }),
  field: field({ name: HOSTILE, label: HOSTILE, value: HOSTILE, help: HOSTILE, error: HOSTILE, autocomplete: HOSTILE }),
  button: button({ label: HOSTILE, name: HOSTILE, value: HOSTILE }),
  'link button': linkButton(HOSTILE, HOSTILE),
  notice: notice({ kind: 'error', title: HOSTILE, body: HOSTILE }),
  'radio group': radioGroup({
    name: HOSTILE,
    label: HOSTILE,
    help: HOSTILE,
    choices: [{ value: HOSTILE, label: HOSTILE }],
    chosen: HOSTILE,
  }),
  table: table({
    caption: HOSTILE,
    columns: [{ label: HOSTILE, cell: (row: string) => row }],
    rows: [HOSTILE],
    empty: HOSTILE,
  }),
  'empty table': table({ caption: HOSTILE, columns: [], rows: [], empty: HOSTILE }),
  pager: pager({ label: HOSTILE, previous: HOSTILE, next: HOSTILE }),
  status: status(HOSTILE),
  facts: facts([{ label: HOSTILE, value: HOSTILE, says: HOSTILE }]),
}

describe('HTML escaping', () => {
  for (const [name, part] of Object.entries(parts)) {
    it(`covers every place of a ${name}`, () => {
      const text = part.toString().replaceAll(OURS, '')
      assert.ok(text.includes(ESCAPED))
      assert.ok(!text.includes('<script') && !text.includes('<img src=x') && !text.includes(`"'`), text)
    })
  }

  it('leaves nested templates and lists of them unescaped', () => {
    assert.equal(
      html`<p>${html`<b>${'<'}</b>`}${[1, 2].map((n) => html`<i>${n}</i>`)}</p>`.toString(),
      '<p><b>&lt;</b><i>1</i><i>2</i></p>',
    )
  })

  it('covers pages without inline styles, handlers or javascript URLs', () => {
    for (const part of Object.values(parts))
      assert.doesNotMatch(part.toString(), /<style|\sstyle=|<[^>]*\son\w+="|javascript:/i)
  })
})

describe('page headers', () => {
  const policyOf = (response: Response): string => response.headers.get('content-security-policy') ?? ''

  it('allow only own resources, no inline code, no framing and forms to this site only', () => {
    const response = pageResponse(html`x`)
    assert.equal(
      policyOf(response),
      "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
    )
    assert.doesNotMatch(policyOf(response), /unsafe|\*|data:|https:/)
    assert.deepEqual(
      ['x-frame-options', 'x-content-type-options', 'referrer-policy', 'cache-control', 'content-type'].map((name) =>
        response.headers.get(name),
      ),
      ['DENY', 'nosniff', 'same-origin', 'no-store', 'text/html; charset=utf-8'],
    )
  })

  it('omit only form-action on a page whose form leaves the site', () => {
    assert.equal(
      policyOf(pageResponse(html`x`)),
      `${policyOf(pageResponse(html`x`, { leavesSite: true }))}; form-action 'self'`,
    )
  })

  it('are also set on a message, beside its own headers', () => {
    const response = messageResponse({ title: 'T', body: 'S', status: 405, headers: { Allow: 'GET' } })
    assert.deepEqual(
      [response.status, response.headers.get('allow'), response.headers.get('x-frame-options')],
      [405, 'GET', 'DENY'],
    )
  })
})

describe('assets', () => {
  it('have a content hash in their URL and are cached forever', async () => {
    const address = assetAddress('app.css')
    assert.match(address, /^\/assets\/app\.[\w-]{12}\.css$/)
    const response = assetAt(address)!
    assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.equal(response.headers.get('content-encoding'), null)
    assert.match(await response.text(), /^@layer reset,tokens,base,layout,parts,pages;/)
  })

  it('are sent in the smallest encoding that the browser accepts', async () => {
    const plain = await assetAt(assetAddress('app.css'))!.bytes()
    for (const [accepted, encoding] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['br; q=0.0', null],
      ['', null],
    ] as const) {
      const response = assetAt(assetAddress('app.css'), accepted)!
      const bytes = Buffer.from(await response.bytes())
      assert.equal(response.headers.get('content-encoding'), encoding, accepted)
      assert.equal(Number(response.headers.get('content-length')), bytes.length)
      const read = encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes
      assert.ok(read.equals(plain))
    }
  })

  it('exist only under their exact URL', () => {
    for (const path of ['/assets/app.css', '/assets/../app.css', '/assets/app.000000000000.css', '/app.css', ''])
      assert.equal(assetAt(path), undefined)
    assert.throws(() => assetAddress('none.css'))
  })
})

describe('own paths', () => {
  it('are kept with their query', () => {
    for (const path of ['/', '/oauth/consent?authorization_id=a%20b', '/a/b?x=/y', '/a?b=//c'])
      assert.equal(ownPath(path), path)
  })

  it('are never another site for any input', () => {
    const others = [
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      '\\\\evil.example',
      'https://evil.example',
      'https:evil.example',
      '///evil.example',
      'javascript:alert(1)',
      'evil',
      '',
      '?x',
      '/..//evil.example',
      '/.//evil.example',
      '/a/..//evil.example',
      '/%2e%2e//evil.example',
      null,
      undefined,
    ]
    for (const given of others) assert.equal(ownPath(given, '/start'), '/start', String(given))
    fc.assert(
      fc.property(fc.stringMatching(/^[/\\.:@a-z?#\t\n%2e ]{0,20}$/), (given) => {
        const sent = URL.parse(ownPath(given), 'https://callout.example')!
        assert.equal(sent.origin, 'https://callout.example')
      }),
    )
  })

  it('are passed whole to the sign-in page', () => {
    assert.equal(
      signInAnswer('/oauth/consent?authorization_id=a&b=c').headers?.['Location'],
      '/sign-in?to=%2Foauth%2Fconsent%3Fauthorization_id%3Da%26b%3Dc',
    )
  })
})
