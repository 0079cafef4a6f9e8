import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { MAX_JSON_DEPTH as maxDepth } from '../../platform/validation/json.ts'
import { idOf, parse } from './jsonrpc.ts'

const parseText = (text: string): unknown => parse(Buffer.from(text))
const codeOf = (body: Buffer | string): number | undefined => {
  const result = parse(Buffer.from(body))
  return 'fault' in result ? result.fault.code : undefined
}
const nestArrays = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

describe('a body', () => {
  it('is whatever JSON it is', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), (text) =>
        assert.deepEqual(parseText(text), { value: JSON.parse(text) as unknown }),
      ),
    )
  })
  it('may open with a byte order mark', () => assert.deepEqual(parseText('\uFEFF{"id":1}'), { value: { id: 1 } }))
  it('may hold brackets without end inside a string', () => {
    assert.equal(codeOf(JSON.stringify('"\\'.concat('['.repeat(500)))), undefined)
  })
  it('may have many containers side by side', () => assert.equal(codeOf(`[${'{},'.repeat(500)}[]]`), undefined))
  it('may hold numbers of any size', () => {
    assert.deepEqual(parseText('[1e999,123456789012345678901]'), { value: [Infinity, 123456789012345680000] })
  })
  it('cannot reach a prototype', () => {
    const result = parse(Buffer.from('{"__proto__":{"tool":"x"},"constructor":{"prototype":{"tool":"x"}}}'))
    assert.ok('value' in result)
    assert.equal(Object.getPrototypeOf(result.value), Object.prototype)
    assert.equal(Reflect.get({}, 'tool'), undefined)
  })
  it('keeps the last of two equal keys', () => assert.deepEqual(parseText('{"a":1,"a":2}'), { value: { a: 2 } }))
})

describe('-32600', () => {
  it('answers JSON deeper than the limit, whatever follows', () => {
    assert.equal(codeOf(nestArrays(maxDepth)), undefined)
    assert.equal(codeOf(nestArrays(maxDepth + 1)), -32600)
    assert.equal(codeOf('{"a":'.repeat(maxDepth + 1)), -32600)
  })
  it('answers a body made of brackets without building it', () => assert.equal(codeOf(nestArrays(2 ** 21)), -32600))
})

describe('-32700', () => {
  it('answers what is no JSON', () => {
    for (const text of ['', ' ', '{', '{"a":1,}', "{'a':1}", 'NaN', '[1]x', '"open', '"\\']) {
      assert.equal(codeOf(text), -32700, text)
    }
  })
  it('answers bytes that are not UTF-8', () => {
    assert.equal(codeOf(Buffer.from([0x22, 0xff, 0x22])), -32700)
    assert.equal(codeOf(Buffer.from('"\u00e9"', 'latin1')), -32700)
    assert.equal(codeOf(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])), -32700)
  })
})

describe('the id of a refused body', () => {
  it('is its own when it names a method', () => {
    assert.equal(idOf({ method: 'ping', id: 'a"b' }), '"a\\"b"')
    assert.equal(idOf({ method: 'ping', id: 1.5 }), '1.5')
    assert.equal(idOf({ method: 'ping', id: 'x'.repeat(256) }), `"${'x'.repeat(256)}"`)
  })
  it('is null otherwise', () => {
    for (const body of [
      [{ method: 'ping', id: 1 }],
      { id: 1 },
      { method: 'ping', id: {} },
      { method: 'ping', id: Infinity },
      { method: 'ping', id: 'x'.repeat(257) },
      null,
      'x',
      undefined,
    ]) {
      assert.equal(idOf(body), 'null')
    }
  })
})
