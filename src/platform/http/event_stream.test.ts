import assert from 'node:assert/strict'
import { it, mock } from 'node:test'
import { HEARTBEAT_MS, openEvents } from './event_stream.ts'

it('an event stream sends a comment every 15 seconds', async () => {
  mock.timers.enable({ apis: ['setInterval'] })
  const { send, end, response } = openEvents()
  mock.timers.tick(HEARTBEAT_MS)
  send('event: one\ndata: 1\n\n')
  mock.timers.tick(HEARTBEAT_MS)
  end()
  mock.timers.tick(HEARTBEAT_MS)
  mock.timers.reset()
  assert.equal(HEARTBEAT_MS, 15_000)
  assert.equal(await response.text(), ': still here\n\nevent: one\ndata: 1\n\n: still here\n\n')
})
