import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { load } from 'cheerio'
import { withReader } from '../../../platform/i18n/reader.ts'
import { segmentsHtml, segmentsText } from './segments.ts'

describe('the SMS segment counter', () => {
  it('gives its script the same text as the server, in every language', () => {
    for (const language of ['en', 'es'] as const) {
      withReader({ language, country: 'US' }, () => {
        const drawn = load(segmentsHtml('body', 'Hi').toString())('text-parts')
        const [one, many, fewer] = ['one', 'many', 'fewer'].map((name) => drawn.attr(`data-${name}`)!)
        assert.deepEqual([drawn.text(), one], [segmentsText('Hi'), segmentsText('Hi')])
        assert.equal(many!.replace('{0}', '2'), segmentsText('a'.repeat(161)))
        const costly = `’${'a'.repeat(100)}`
        assert.equal(`${many!.replace('{0}', '2')} ${fewer!.replace('{0}', '’')}`, segmentsText(costly))
      })
    }
  })

  it('counts a link at full length, and is empty without text', () => {
    const long = segmentsHtml('body', `{link}${'a'.repeat(150)}`, { link: ['{link}', 'x'.repeat(40)] })
    assert.equal(load(long.toString())('text-parts').text(), segmentsText('x'.repeat(190)))
    assert.equal(load(segmentsHtml('body', '').toString())('text-parts').text(), '')
  })
})
