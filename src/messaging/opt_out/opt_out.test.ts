import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseOptOut } from './opt_out.ts'
import { anyText } from '../../../test/harness/any_text.ts'

const STOPS = 'STOP,STOPALL,STOP ALL,QUIT,END,REVOKE,OPT OUT,OPT-OUT,OPTOUT,CANCEL,UNSUBSCRIBE,REMOVE,ALTO,BAJA,PARAR'
const stopWord = fc.constantFrom(...STOPS.split(','))
const inAnyCase = (word: string) =>
  fc
    .array(fc.boolean(), { minLength: word.length, maxLength: word.length })
    .map((upper) => Array.from(word, (one, i) => (upper[i] ? one.toUpperCase() : one.toLowerCase())).join(''))
const MARKS = ['"', "'", '“', '”', '‘', '’', '«', '»', '.', '!', '¡', '…', '?', ' ', '\n', '\u00a0', '\u200b', '*', '-']
const edge = fc.array(fc.constantFrom(...MARKS), { maxLength: 4 }).map((marks) => marks.join(''))
const courtesy = fc.constantFrom('please', 'all', 'texts', 'messages', 'Please,', 'ALL TEXTS')

describe('an SMS opt-out', () => {
  it('is a stop word in any case, with surrounding quotes, punctuation and spaces', () => {
    fc.assert(
      fc.property(stopWord.chain(inAnyCase), edge, edge, (word, before, after) => {
        assert.equal(parseOptOut(`${before}${word}${after}`), 'stop')
      }),
      { numRuns: 500 },
    )
  })

  it('is a stop word with "please", "all", "texts" or "messages" beside it', () => {
    fc.assert(
      fc.property(stopWord.chain(inAnyCase), courtesy, edge, fc.boolean(), (word, beside, after, isFirst) => {
        assert.equal(parseOptOut((isFirst ? `${beside} ${word}` : `${word} ${beside}`) + after), 'stop')
      }),
      { numRuns: 300 },
    )
  })

  it('is unclear when a short text starts with a stop word and continues', () => {
    const goesOn = fc.constantFrom('it', 'texting me', 'my appointment', 'of the driveway', 'ya', 'sending this stuff')
    fc.assert(
      fc.property(stopWord.chain(inAnyCase), goesOn, edge, (word, more, before) => {
        const text = `${before}${word} ${more}`
        fc.pre(Array.from(text.trim()).length <= 40)
        assert.equal(parseOptOut(text), 'unclear')
      }),
      { numRuns: 300 },
    )
    for (const text of ['STOPP', 'stop it', 'Please stop texting me', 'opt out of this'])
      assert.equal(parseOptOut(text), 'unclear', text)
  })

  it('is not a stop word mid-sentence, inside a longer word or in a long message', () => {
    for (const text of [
      '',
      ' ',
      '…',
      'please',
      'the end',
      'Endless thanks',
      'Stopping by at 5?',
      'Can you stop by?',
      '1',
      '👍',
    ])
      assert.equal(parseOptOut(text), undefined, text)
    assert.equal(parseOptOut(`Stop by at five, the gate is open and ${'the dog is in '.repeat(2)}`), undefined)
    fc.assert(
      fc.property(anyText({ minLength: 41, maxLength: 2_000 }), (rest) => {
        assert.equal(parseOptOut(`We will stop by ${rest}`), undefined)
      }),
    )
  })

  it('is unclear up to 40 characters and no opt-out beyond', () => {
    const answer = `Stop ${'x'.repeat(35)}`
    assert.equal(parseOptOut(answer), 'unclear')
    assert.equal(parseOptOut(`${answer}x`), undefined)
  })

  it('is revoked only by the exact opt-in words', () => {
    for (const word of ['START', 'yes', ' Unstop\n']) assert.equal(parseOptOut(word), 'start')
    for (const odd of ['please start', 'YES!', 'start?', 'No', 'yes please']) assert.equal(parseOptOut(odd), undefined)
  })
})
