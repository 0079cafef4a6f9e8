import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { buffer, text } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'
import { openSpool, createSpooledSink } from './spool.ts'
import { openZip } from './zip.ts'

async function* piecesOf(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text)
}

async function* brokenBytes(): AsyncGenerator<Buffer> {
  yield Buffer.from('begins')
  throw new Error('the disk is gone')
}

describe('a ZIP export', () => {
  it('is readable by another library with names, order and bytes', async () => {
    const pieces: Buffer[] = []
    const zip = openZip(async (bytes) => void pieces.push(bytes))
    await zip.add('customers.json', piecesOf('[', '{"name":"Muñoz"}', ']'))
    await zip.add('files/año.txt', piecesOf())
    await zip.end()
    const read: Record<string, string> = {}
    const archive = await fromBufferPromise(Buffer.concat(pieces))
    for await (const entry of archive.eachEntry())
      read[entry.fileName] = await text(await archive.openReadStreamPromise(entry))
    assert.deepEqual(Object.entries(read), [
      ['customers.json', '[{"name":"Muñoz"}]'],
      ['files/año.txt', ''],
    ])
  })

  it('reads no faster than its sink accepts', async () => {
    let [isTaken, read] = [false, 0]
    const { promise, resolve } = Promise.withResolvers<void>()
    const zip = openZip(() => (isTaken ? Promise.resolve() : promise))
    const many = async function* (): AsyncGenerator<Buffer> {
      for (read = 0; read < 200; read++) yield crypto.getRandomValues(Buffer.alloc(65_536))
    }
    const added = zip.add('photo.jpg', many())
    for (let i = 0; i < 200; i++) await new Promise(setImmediate)
    assert.ok(read < 50, `${read} pieces were read before the first was taken`)
    isTaken = true
    resolve()
    await added
    assert.equal(read, 200)
  })

  it('keeps all bytes of a file when later ones bypass the spool', async () => {
    const pieces: Buffer[] = []
    const spool = await openSpool()
    const { sink, startForwarding } = createSpooledSink(spool, async (bytes) => void pieces.push(bytes))
    const zip = openZip(sink)
    const rows = crypto.getRandomValues(Buffer.alloc(65_536))
    await zip.add(
      'rows.json',
      (async function* () {
        for (let i = 0; i < 4; i++) yield rows
      })(),
    )
    startForwarding()
    await zip.add('photo.jpg', piecesOf('a photo'))
    await zip.end()
    await spool.release()
    const archive = await fromBufferPromise(Buffer.concat(pieces))
    const read: Buffer[] = []
    for await (const entry of archive.eachEntry()) read.push(await buffer(await archive.openReadStreamPromise(entry)))
    assert.deepEqual(read, [Buffer.concat([rows, rows, rows, rows]), Buffer.from('a photo')])
  })

  it('rejects with the error of a file', async () => {
    const zip = openZip(async () => {})
    await assert.rejects(zip.add('customers.json', brokenBytes()), /the disk is gone/)
  })

  it('rejects with the error of its sink', async () => {
    const zip = openZip(async () => Promise.reject(new Error('storage is full')))
    const add = zip.add('customers.json', piecesOf('x'.repeat(1_000_000)))
    await assert.rejects(
      add.then(() => zip.end()),
      /storage is full/,
    )
  })
})
