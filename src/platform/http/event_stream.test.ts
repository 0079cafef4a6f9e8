import assert from 'node:assert/strict'
import { it, mock } from 'node:test'
import { EVENT_BEAT, openEvents } from './event_stream.ts'

it('an event stream sends a comment every 15 seconds', async () => {
  mock.timers.enable({ apis: ['setInterval'] })
  const { send, end, response } = openEvents()
  mock.timers.tick(EVENT_BEAT)
  send('event: one\ndata: 1\n\n')
  mock.timers.tick(EVENT_BEAT)
  end()
  mock.timers.tick(EVENT_BEAT)
  mock.timers.reset()
  assert.equal(EVENT_BEAT, 15_000)
  assert.equal(await response.text(), ': still here\n\nevent: one\ndata: 1\n\n: still here\n\n')
})
