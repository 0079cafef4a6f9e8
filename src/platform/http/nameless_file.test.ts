import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { openNamelessFile } from './nameless_file.ts'

/** Bytes that take a while to write. */
const PIECE = Buffer.alloc(32 * 2 ** 20, 'a piece')

describe('an unlinked temporary file', () => {
  it('is readable while a write is running', async () => {
    const file = await openNamelessFile('webhook')
    const writing = file.write(PIECE)
    assert.equal(String(await buffer(file.read(PIECE.length - 7, PIECE.length))), String(PIECE.subarray(-7)))
    await writing
    await file.close()
  })

  it('waits for running writes before it closes', async () => {
    const file = await openNamelessFile('webhook')
    const ended: string[] = []
    await Promise.all([
      file.write(PIECE).then(() => ended.push('written')),
      file.close().then(() => ended.push('closed')),
    ])
    assert.deepEqual(ended, ['written', 'closed'])
  })
})
