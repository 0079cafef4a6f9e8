import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { htmlToText } from './html_text.ts'

describe('the text of an HTML mail', () => {
  it('is what a person reads', () => {
    assert.equal(
      htmlToText(
        '<h1>Offer</h1><p>For <a href="https://x.example">you</a><img src="https://x.example/pixel" alt="no"></p><style>p{}</style><script>alert(1)</script>',
      ),
      'Offer\n\nFor you',
    )
    assert.equal(htmlToText('a &lt;b&gt; &amp; é&#x1F600;'), 'a <b> & é😀')
    assert.equal(htmlToText(''), '')
  })

  it('is cut at 20,000 tags, a depth of 100 and 1 MiB', () => {
    assert.equal(htmlToText('<p>a</p>'.repeat(30_000)).match(/a/g)?.length, 19_999)
    assert.equal(htmlToText(`${'<div>'.repeat(150)}deep`), '…')
    assert.equal(htmlToText(`${'<div>'.repeat(50)}deep`), 'deep')
    assert.equal(Buffer.byteLength(htmlToText('é'.repeat(2 ** 20))), 2 ** 20)
  })

  it('is computed for endless and unclosed markup', () => {
    for (const html of [
      '<b>'.repeat(300_000),
      '<table><tr><td>'.repeat(60_000),
      '<b></x>'.repeat(150_000),
      '<ul><li>'.repeat(100_000),
      '<'.repeat(2 ** 20),
      '<!--'.repeat(2 ** 18),
      `<a ${'x '.repeat(2 ** 19)}`,
    ]) {
      assert.equal(typeof htmlToText(html), 'string')
    }
  })
})
