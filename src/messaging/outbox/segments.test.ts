import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { countSegments } from './segments.ts'
import { withStopHint } from './stop_hint.ts'

const page = (await import(new URL('../../../public/records/text_counting.js', import.meta.url).href)) as {
  countTexts: typeof countSegments
  withStopHint: typeof withStopHint
}
const { countTexts } = page

describe('the SMS segment count', () => {
  const cases: [what: string, text: string, count: number][] = [
    ['nothing', '', 1],
    ['160 letters', 'a'.repeat(160), 1],
    ['161 letters', 'a'.repeat(161), 2],
    ['306 letters', 'a'.repeat(306), 2],
    ['307 letters', 'a'.repeat(307), 3],
    ['80 euros', '€'.repeat(80), 1],
    ['81 euros', '€'.repeat(81), 2],
    ['a euro that would be torn', `${'a'.repeat(152)}€${'a'.repeat(152)}`, 3],
    ['letters of the alphabet of phones', 'ñ¿¡ÑüÜéÉàèìòù'.repeat(12), 1],
    ['70 letters, one with an accent', `${'a'.repeat(69)}í`, 1],
    ['71 letters, one with an accent', `${'a'.repeat(70)}í`, 2],
    ['134 letters, one with an accent', `${'a'.repeat(133)}í`, 2],
    ['135 letters, one with an accent', `${'a'.repeat(134)}í`, 3],
    ['35 pictures', '🔧'.repeat(35), 1],
    ['36 pictures', '🔧'.repeat(36), 2],
    ['a picture that would be torn', `${'í'.repeat(66)}🔧${'í'.repeat(66)}`, 3],
    ['the longest', 'a'.repeat(1_600), 11],
    ['the longest with an accent', 'í'.repeat(1_600), 24],
    ['the longest, of pictures alone', '🔧'.repeat(1_600), 49],
  ]
  for (const [what, text, count] of cases)
    it(`of ${what} is ${count}`, () => assert.equal(countSegments(text).count, count))

  it('names the characters that require more segments', () => {
    assert.deepEqual(countSegments(`We’re on our way – ${'a'.repeat(100)}`).costly, ['’', '–'])
    assert.deepEqual(countSegments('¿Mañana a las 9? ¡Sí!').costly, [], 'one text costs one')
    assert.deepEqual(countSegments('Ω€~'.repeat(60)).costly, [], 'phones have them')
  })

  const character = fc.oneof(
    fc.constantFrom('a', ' ', '€', 'í', '’', '🔧', 'ñ', '\n'),
    fc.string({ unit: 'grapheme', maxLength: 1 }),
  )
  const text = fc.array(character, { maxLength: 400 }).map((parts) => parts.join(''))

  it('is the same in the browser script', () => {
    for (const [, one] of cases) assert.deepEqual(countTexts(one), countSegments(one))
    fc.assert(fc.property(text, (text) => assert.deepEqual(countTexts(text), countSegments(text))))
  })

  it('has the same opt-out hint in the browser script', () => {
    const preview = { hint: 'Reply STOP to opt out.', company: 'ALTO Plumbing' }
    const words = fc.constantFrom('STOP', 'stop', 'ALTO', 'ALTO Plumbing', 'BAJA.', 'PARARON', 'a'.repeat(400), 'hi')
    fc.assert(
      fc.property(fc.array(words, { maxLength: 8 }), (parts) => {
        const body = parts.join(' ')
        const sent = withStopHint(body, preview)
        assert.equal(page.withStopHint(body, preview), sent)
        assert.ok(sent.length <= 1_600 || sent === body)
        assert.ok(sent.startsWith(body))
      }),
    )
  })

  it('does not decrease with added text and stays within the segment sizes', () => {
    fc.assert(
      fc.property(text, character, (text, more) => {
        const { count } = countSegments(text)
        assert.ok(countSegments(text + more).count >= count)
        assert.ok(count <= Math.max(1, Math.ceil(text.length / 66)))
        assert.ok(text.length <= 160 * count)
      }),
    )
  })
})
