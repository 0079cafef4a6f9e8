import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parentOf } from './trace_parent.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

describe('a traceparent header', () => {
  it('gives trace id, span id and sampled flag', () => {
    const parent = { traceId: TRACE, spanId: SPAN, isRemote: true }
    assert.deepEqual(parentOf(`00-${TRACE}-${SPAN}-01`), { ...parent, traceFlags: 1 })
    assert.deepEqual(parentOf(`00-${TRACE}-${SPAN}-00`), { ...parent, traceFlags: 0 })
    assert.deepEqual(parentOf(`00-${TRACE}-${SPAN}-ff`), { ...parent, traceFlags: 1 })
  })

  it('of a later version may have more fields', () => {
    assert.equal(parentOf(`01-${TRACE}-${SPAN}-01-what-comes`)?.traceId, TRACE)
    assert.equal(parentOf(`cc-${TRACE}-${SPAN}-01`)?.traceId, TRACE)
  })

  it('in any other form is ignored', () => {
    const forms = [
      undefined,
      7,
      {},
      '',
      'x',
      `00-${TRACE}-${SPAN}`,
      `00-${TRACE}-${SPAN}-01-more`,
      `ff-${TRACE}-${SPAN}-01`,
      `00-${'0'.repeat(32)}-${SPAN}-01`,
      `00-${TRACE}-${'0'.repeat(16)}-01`,
      `00-${TRACE.toUpperCase()}-${SPAN}-01`,
      `00-${TRACE}-${SPAN}-01 `,
      ` 00-${TRACE}-${SPAN}-01`,
      `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
      `00-${TRACE}${SPAN}-01`,
      `00-${TRACE}-${SPAN}-0g`,
      `00-${TRACE}-${SPAN}-01\n`,
    ]
    for (const form of forms) assert.equal(parentOf(form), undefined, JSON.stringify(form))
  })
})
