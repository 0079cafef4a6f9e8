import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { overlap, packIntervals, type Interval } from './packing.ts'

const intervals = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: 96 }), fc.integer({ min: 1, max: 30 }))
    .map(([from, length]): Interval => ({ from, to: from + length })),
  { maxLength: 40 },
)

/** Counts the maximum of simultaneous intervals, moment by moment. */
const mostAtOnce = (ones: readonly Interval[]): number =>
  Math.max(0, ...ones.map(({ from: moment }) => ones.filter(({ from, to }) => from <= moment && moment < to).length))

/** Returns everything connected to an interval by a chain of overlaps, including itself. */
function clusterOf(one: Interval, all: readonly Interval[]): Interval[] {
  const found = new Set([one])
  for (const each of found) for (const other of all) if (overlap(each, other)) found.add(other)
  return [...found]
}

const packedOnes = (ones: readonly Interval[]) => packIntervals(ones).map((place, i) => ({ ...ones[i]!, ...place }))

describe('overlapping intervals', () => {
  it('never share a column or the width that one of them fills', () => {
    fc.assert(
      fc.property(intervals, (ones) => {
        const all = packedOnes(ones)
        for (const [i, a] of all.entries()) {
          for (const b of all.slice(i + 1).filter((b) => overlap(a, b))) {
            assert.ok(a.column + a.span <= b.column || b.column + b.span <= a.column, JSON.stringify([a, b]))
          }
        }
      }),
    )
  })

  it('use as many columns as overlap at once in their cluster, and stay inside', () => {
    fc.assert(
      fc.property(intervals, (ones) => {
        packIntervals(ones).forEach(({ column, columns, span }, i) => {
          assert.equal(columns, mostAtOnce(clusterOf(ones[i]!, ones)))
          assert.ok(column >= 0 && span >= 1 && column + span <= columns)
        })
      }),
    )
  })

  it('get the same columns in any input order', () => {
    fc.assert(
      fc.property(intervals, (ones) => {
        const distinct = [...new Map(ones.map((one) => [`${one.from} ${one.to}`, one])).values()]
        const turned = new Map(packedOnes(distinct.toReversed()).map((one) => [`${one.from} ${one.to}`, one]))
        for (const one of packedOnes(distinct)) assert.deepEqual(turned.get(`${one.from} ${one.to}`), one)
      }),
    )
  })
})

describe('intervals of one day', () => {
  it('fill the width that no overlapping one uses', () => {
    const [long, early, late] = packIntervals([
      { from: 0, to: 8 },
      { from: 0, to: 4 },
      { from: 4, to: 8 },
    ])
    assert.deepEqual(
      [long, early, late],
      [
        { column: 0, columns: 2, span: 1 },
        { column: 1, columns: 2, span: 1 },
        { column: 1, columns: 2, span: 1 },
      ],
    )
    assert.deepEqual(
      packIntervals([
        { from: 0, to: 2 },
        { from: 1, to: 8 },
        { from: 1, to: 2 },
        { from: 4, to: 6 },
      ]).at(-1),
      { column: 0, columns: 3, span: 1 },
    )
    assert.deepEqual(
      packIntervals([
        { from: 0, to: 9 },
        { from: 1, to: 2 },
        { from: 1, to: 2 },
        { from: 4, to: 6 },
      ]).at(-1),
      { column: 1, columns: 3, span: 2 },
    )
  })

  it('that only touch get the whole width', () => {
    assert.deepEqual(
      packIntervals([
        { from: 0, to: 4 },
        { from: 4, to: 8 },
      ]),
      [
        { column: 0, columns: 1, span: 1 },
        { column: 0, columns: 1, span: 1 },
      ],
    )
    assert.deepEqual(packIntervals([]), [])
  })
})
