import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { describe, it, mock } from 'node:test'
import { readBody, readWebBody, type BodyLimits } from './body.ts'

const LIMITS: BodyLimits = { maxBytes: 10 }

function sending(limits = LIMITS, declared?: string) {
  const stream = new PassThrough()
  const req = Object.assign(stream, { headers: { 'content-length': declared } }) as unknown as IncomingMessage
  return { stream, read: readBody(req, limits) }
}

describe('an HTTP body', () => {
  it('is read whole from one, several or no chunks', async () => {
    for (const pieces of [['0123456789'], ['01234', '56789'], []]) {
      const { stream, read } = sending()
      for (const piece of pieces) stream.write(piece)
      stream.end()
      assert.equal(String(await read), pieces.join(''))
    }
  })

  it('is rejected by its declared length before any byte arrives', async () => {
    assert.equal(await sending(LIMITS, '11').read, 'too_large')
  })

  it('is rejected once longer than declared, and the connection closes past a megabyte', async () => {
    const { stream, read } = sending(LIMITS, '3')
    stream.write('0123456789')
    stream.write('0')
    assert.equal(await read, 'too_large')
    stream.write(Buffer.alloc(2 ** 20 - 11))
    while (stream.readableLength > 0) await new Promise((resolve) => setImmediate(resolve))
    assert.equal(stream.destroyed, false)
    stream.write('0')
    await new Promise((resolve) => {
      stream.once('close', resolve)
    })
  })

  it('is "gone" when the sender disconnects, with or without an error', async () => {
    for (const error of [undefined, new Error('ECONNRESET')]) {
      const { stream, read } = sending()
      stream.write('0')
      stream.destroy(error)
      assert.equal(await read, 'gone')
    }
  })

  it('is "too_slow" after the deadline', async () => {
    mock.timers.enable({ apis: ['setTimeout'] })
    try {
      const { read } = sending({ ...LIMITS, deadlineMs: 50 })
      mock.timers.tick(50)
      assert.equal(await read, 'too_slow')
    } finally {
      mock.timers.reset()
    }
  })

  it('is passed on chunk by chunk up to the limit, and the receiver may stop it', async () => {
    const shown: [string, number][] = []
    const { stream, read } = sending({
      ...LIMITS,
      onPiece: (piece, length) => {
        shown.push([String(piece), length])
        if (length > 6) throw new Error('Enough')
        return false
      },
    })
    for (const piece of ['012', '345', '678', '9abc']) stream.write(piece)
    await assert.rejects(read, { message: 'Enough' })
    assert.deepEqual(shown, [
      ['012', 3],
      ['345', 6],
      ['678', 9],
    ])
  })

  it('omits chunks that the receiver took, and rejects with the reason of its signal', async () => {
    const received = sending({ ...LIMITS, onPiece: (piece) => String(piece) === '345' })
    for (const piece of ['012', '345', '678']) received.stream.write(piece)
    received.stream.end()
    assert.equal(String(await received.read), '012678')
    const ending = new AbortController()
    const ended = sending({ ...LIMITS, signal: ending.signal })
    ended.stream.write('012')
    ending.abort(new Error('Enough'))
    await assert.rejects(ended.read, { message: 'Enough' })
  })

  it('also has its deadline past the size where pacing starts', async () => {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
    try {
      const minSpeed = { afterBytes: 2, bytesPerSecond: 1, seconds: 2 }
      const { stream, read } = sending({ maxBytes: 100, deadlineMs: 6_500, minSpeed })
      let ended: unknown
      void read.then((outcome) => (ended = outcome))
      for (let second = 0; second < 6; second++) {
        stream.write('0123')
        await new Promise((resolve) => setImmediate(resolve))
        mock.timers.tick(1_000)
      }
      await new Promise((resolve) => setImmediate(resolve))
      assert.equal(ended, undefined)
      mock.timers.tick(500)
      assert.equal(await read, 'too_slow')
    } finally {
      mock.timers.reset()
    }
  })

  it('is read the same way from a web Request', async () => {
    const form = (body: string | null): Request => new Request('https://here.invalid/', { method: 'POST', body })
    assert.equal(String(await readWebBody(form('0123456789'), LIMITS)), '0123456789')
    assert.equal(await readWebBody(form('0123456789a'), LIMITS), 'too_large')
    assert.equal(String(await readWebBody(form(null), LIMITS)), '')
  })
})
