import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Registry } from 'prom-client'
import { toolCounts } from './tool_counts.ts'

describe('request durations', () => {
  it('count in the bucket of their bound and in all above', async () => {
    const registry = new Registry()
    const requests = toolCounts({ isMethod: () => true, isTool: () => true }, registry)
    for (const ms of [1, 1.01, 4, 15_000, 15_001]) {
      requests.begin()
      requests.end({ method: 'ping', status: 200, errorCode: null, bytes: 0 }, ms)
    }
    const text = await registry.metrics()
    const bucket = (le: string): string | undefined =>
      new RegExp(`_bucket\\{le="${le.replace('+', '\\+')}",method="ping",tool=""\\} (.*)`).exec(text)?.[1]
    assert.deepEqual(['0.001', '0.0025', '0.005', '5', '15', '+Inf'].map(bucket), ['1', '2', '3', '3', '4', '5'])
    assert.match(text, /_count\{method="ping",tool=""\} 5\n/)
    assert.match(text, /_sum\{method="ping",tool=""\} 30\.00701/)
    assert.match(text, /callout_mcp_requests_in_flight 0\n/)
  })
})
