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

describe('a JSON-RPC body', () => {
  it('parses like JSON.parse for any JSON', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), (text) =>
        assert.deepEqual(parseText(text), { value: JSON.parse(text) as unknown }),
      ),
    )
  })
  it('may start with a byte order mark', () => assert.deepEqual(parseText('\uFEFF{"id":1}'), { value: { id: 1 } }))
  it('may have any number of brackets inside a string', () => {
    assert.equal(codeOf(JSON.stringify('"\\'.concat('['.repeat(500)))), undefined)
  })
  it('may have many containers side by side', () => assert.equal(codeOf(`[${'{},'.repeat(500)}[]]`), undefined))
  it('may have numbers of any size', () => {
    assert.deepEqual(parseText('[1e999,123456789012345678901]'), { value: [Infinity, 123456789012345680000] })
  })
  it('cannot change a prototype', () => {
    const result = parse(Buffer.from('{"__proto__":{"tool":"x"},"constructor":{"prototype":{"tool":"x"}}}'))
    assert.ok('value' in result)
    assert.equal(Object.getPrototypeOf(result.value), Object.prototype)
    assert.equal(Reflect.get({}, 'tool'), undefined)
  })
  it('keeps the last of two equal keys', () => assert.deepEqual(parseText('{"a":1,"a":2}'), { value: { a: 2 } }))
})

describe('parse error -32600', () => {
  it('answers JSON nested deeper than the limit, also when it is incomplete', () => {
    assert.equal(codeOf(nestArrays(maxDepth)), undefined)
    assert.equal(codeOf(nestArrays(maxDepth + 1)), -32600)
    assert.equal(codeOf('{"a":'.repeat(maxDepth + 1)), -32600)
  })
  it('answers millions of brackets without building the value', () => assert.equal(codeOf(nestArrays(2 ** 21)), -32600))
})

describe('parse error -32700', () => {
  it('answers invalid JSON', () => {
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

describe('the response id of a refused body', () => {
  it('is the id of a message with a method', () => {
    assert.equal(idOf({ method: 'ping', id: 'a"b' }), '"a\\"b"')
    assert.equal(idOf({ method: 'ping', id: 1.5 }), '1.5')
    assert.equal(idOf({ method: 'ping', id: 'x'.repeat(256) }), `"${'x'.repeat(256)}"`)
  })
  it('is null for any other body', () => {
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
