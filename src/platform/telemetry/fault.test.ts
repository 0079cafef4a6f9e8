import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pg from 'pg'
import { Refusal } from '../errors/refusal.ts'
import { faultOf } from './fault.ts'

const CANARY = 'c4nary'

/** Returns a fault without its stack. */
const describeFault = (error: unknown) => {
  const { stack, ...rest } = faultOf(error)
  assert.ok(!JSON.stringify({ stack, ...rest }).includes(CANARY))
  return rest
}

const catchError = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

const database = (fields: object): pg.DatabaseError => Object.assign(new pg.DatabaseError('', 0, 'error'), fields)

describe('a logged fault', () => {
  it('has its type, code, message and stack', () => {
    const { stack = '', ...rest } = faultOf(Object.assign(new Error('connect refused'), { code: 'ECONNREFUSED' }))
    assert.deepEqual(rest, { type: 'Error', code: 'ECONNREFUSED', message: 'connect refused' })
    assert.match(stack, /^at .*fault\.test\.ts:\d+:\d+/)
  })

  it('omits input quoted by built-in errors', () => {
    const quoting: [work: () => unknown, type: string][] = [
      [() => JSON.parse(CANARY), 'SyntaxError'],
      [() => new URL(CANARY), 'TypeError'],
      [() => BigInt(CANARY), 'SyntaxError'],
      [() => Temporal.Instant.from(CANARY), 'RangeError'],
      [() => Intl.DateTimeFormat('en', { timeZone: CANARY }), 'RangeError'],
      [() => 'x' in (CANARY as never), 'TypeError'],
      [() => decodeURIComponent(`%${CANARY}`), 'URIError'],
    ]
    for (const [work, type] of quoting) assert.equal(describeFault(catchError(work)).type, type)
    assert.deepEqual(describeFault(new Refusal('conflict', `'${CANARY}' was used`)), {
      type: 'Refusal',
      code: 'conflict',
    })
  })

  it('omits extra properties, and message lines that look like stack frames', () => {
    assert.deepEqual(
      describeFault(
        Object.assign(new TypeError(`${CANARY}\n    at ${CANARY} (x.ts:1:1)`), { input: CANARY, detail: CANARY }),
      ),
      { type: 'TypeError' },
    )
  })

  it('of the database names table and constraint, but no values', () => {
    const constraint = {
      message: 'violates check constraint "x"',
      code: '23514',
      table: 'tags',
      constraint: 'x',
      detail: `Failing row contains (${CANARY})`,
      where: CANARY,
    }
    assert.deepEqual(describeFault(database(constraint)), {
      type: 'DatabaseError',
      code: '23514',
      message: 'violates check constraint "x"',
      place: 'tags x',
    })
    assert.deepEqual(
      describeFault(database({ message: `invalid input syntax for type uuid: "${CANARY}"`, code: '22P02' })),
      { type: 'DatabaseError', code: '22P02' },
    )
    assert.deepEqual(describeFault(database({ message: CANARY, code: 'P0001' })), {
      type: 'DatabaseError',
      code: 'P0001',
    })
    assert.deepEqual(describeFault(database({ message: CANARY })), { type: 'DatabaseError' })
    assert.deepEqual(
      describeFault(database({ message: 'canceling statement due to statement timeout', code: '57014' })).message,
      'canceling statement due to statement timeout',
    )
  })

  it('includes its causes and parts up to a limit', () => {
    const { cause } = describeFault(
      new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) }),
    )
    assert.deepEqual([cause?.type, cause?.code, cause?.message], ['Error', 'ECONNREFUSED', 'refused'])
    const { message, errors = [] } = describeFault(
      new AggregateError(
        [1, 2, 3, 4].map((number) => new RangeError(`${CANARY} ${number}`)),
        '4 records failed',
      ),
    )
    assert.deepEqual(
      [message, errors.map(({ type }) => type)],
      ['4 records failed', ['RangeError', 'RangeError', 'RangeError']],
    )
    const endless = new Error('again')
    endless.cause = endless
    assert.equal(describeFault(endless).cause?.cause?.cause?.cause, undefined)
  })

  it('that is no Error has its JavaScript type', () => {
    assert.deepEqual([describeFault(CANARY), describeFault(undefined)], [{ type: 'string' }, { type: 'undefined' }])
  })
})
