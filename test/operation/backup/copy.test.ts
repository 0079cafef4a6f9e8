import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client } from 'pg'
import { copyIn, copyOut } from '../../../src/platform/db/copy.ts'
import { makeEmptyDatabase, type EmptyDatabase } from '../../harness/database/empty_database.ts'

const ROWS = 300_000

let empty: EmptyDatabase
let client: Client
before(async () => {
  empty = await makeEmptyDatabase()
  client = new Client(empty.owner)
  await client.connect()
  await client.query(`create table many as select n, repeat('x', 30) as text from generate_series(1, ${ROWS}) n`)
  await client.query('create table taken (n int, text text)')
})
after(async () => {
  await client.end()
  await empty.drop()
})

/** Asserts that the connection still works, with this many rows written. */
const goesOn = async (written: number): Promise<void> =>
  assert.deepEqual((await client.query<{ n: number }>('select count(*)::int as n from taken')).rows, [{ n: written }])

async function* pieces(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text)
}

describe('copyOut', () => {
  it('returns parts of whole rows and their count', async () => {
    const parts: Buffer[] = []
    assert.equal(await copyOut(client, 'copy many to stdout', async (part) => void parts.push(part)), ROWS)
    assert.ok(parts.length > 1 && parts.every((part) => part.at(-1) === 0x0a))
    assert.equal(Buffer.concat(parts).toString().split('\n').length - 1, ROWS)
  })

  it('keeps the connection usable if the consumer fails', async () => {
    let taken = 0
    const refuse = (): Promise<void> => (++taken === 2 ? Promise.reject(new Error('no room')) : Promise.resolve())
    await assert.rejects(copyOut(client, 'copy many to stdout', refuse), /^Error: no room$/)
    assert.equal(taken, 2)
    await goesOn(0)
  })

  it("rejects with the server's error and keeps the connection usable", async () => {
    await assert.rejects(
      copyOut(client, 'copy nothing to stdout', async () => {}),
      /relation "nothing" does not exist/,
    )
    await assert.rejects(
      copyOut(client, `copy (select 1 / (n - ${ROWS}) from many) to stdout`, async () => {}),
      /division by zero/,
    )
    await goesOn(0)
  })
})

describe('copyIn', () => {
  it('accepts rows split at any byte and returns their count', async () => {
    assert.equal(await copyIn(client, 'copy taken from stdin', pieces('1\ta', '\n2\tb\n3', '\tc\n')), 3)
    assert.equal(await copyIn(client, 'copy taken from stdin', pieces()), 0)
    await goesOn(3)
  })

  it('writes no rows if the source fails, and rejects with its error', async () => {
    async function* broken(): AsyncGenerator<Buffer> {
      yield* pieces('4\td\n')
      throw new Error('cut off')
    }
    await assert.rejects(copyIn(client, 'copy taken from stdin', broken()), /^Error: cut off$/)
    await goesOn(3)
  })

  it('stops reading the source once the server rejects a row', async () => {
    let asked = 0
    async function* endless(): AsyncGenerator<Buffer> {
      for (; asked < 100_000; asked++) yield Buffer.from('none\tx\n'.repeat(10_000))
    }
    await assert.rejects(
      copyIn(client, 'copy taken from stdin', endless()),
      /invalid input syntax for type integer: "none"/,
    )
    assert.ok(asked < 100_000)
    await goesOn(3)
  })
})
