import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { exposition } from './exposition.ts'
import { toolRequests } from './tool_requests.ts'

describe('the text', () => {
  it('has a head for each family and a line for each sample', () => {
    assert.equal(exposition([
      { name: 'a_total', kind: 'counter', help: 'Of a.', samples: [{ labels: { of: 'x', in: 'y' }, value: 3 }, { value: 0.5 }] },
      { name: 'b', kind: 'gauge', help: 'Of b.', samples: [] },
      { name: 'c', kind: 'histogram', help: 'Of c.', samples: [{ part: '_bucket', labels: { le: '+Inf' }, value: 1 }, { part: '_sum', value: Infinity }] },
    ]), `# HELP a_total Of a.
# TYPE a_total counter
a_total{of="x",in="y"} 3
a_total 0.5
# HELP b Of b.
# TYPE b gauge
# HELP c Of c.
# TYPE c histogram
c_bucket{le="+Inf"} 1
c_sum +Inf
`)
  })

  it('escapes what a label value may hold', () => {
    assert.equal(exposition([{ name: 'a', kind: 'gauge', help: 'h', samples: [{ labels: { of: 'x"\\\n' }, value: 1 }] }]).split('\n')[2], 'a{of="x\\"\\\\\\n"} 1')
  })
})

describe('durations', () => {
  it('count in the bucket whose bound they reach, and in all above', () => {
    const requests = toolRequests({ isMethod: () => true, isTool: () => true })
    for (const ms of [1, 1.01, 4, 15_000, 15_001]) {
      requests.began()
      requests.ended({ method: 'ping', status: 200, errorCode: null, bytes: 0 }, ms)
    }
    const text = exposition(requests.families())
    const bucket = (le: string): string | undefined => new RegExp(`_bucket\\{method="ping",tool="",le="${le.replace('+', '\\+')}"\\} (.*)`).exec(text)?.[1]
    assert.deepEqual(['0.001', '0.0025', '0.005', '5', '15', '+Inf'].map(bucket), ['1', '2', '3', '3', '4', '5'])
    assert.match(text, /_count\{method="ping",tool=""\} 5\n/)
    assert.match(text, /_sum\{method="ping",tool=""\} 30\.00701/)
    assert.match(text, /callout_mcp_requests_in_flight 0\n/)
  })
})
