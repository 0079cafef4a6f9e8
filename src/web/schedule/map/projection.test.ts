import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { kilometers } from '../../../scheduling/travel/estimate.ts'
import { projectPlaces, spreadPoints, type MapPoint } from './projection.ts'

const FRAME = { width: 800, height: 600, margin: 40 }
const near = (middle: number, most: number) =>
  fc.double({ min: middle - most, max: middle + most, noNaN: true, noDefaultInfinity: true })
const places = (longitude: number) =>
  fc.array(
    fc.record({
      latitude: near(40, 0.3),
      longitude: near(longitude, 0.3).map((degrees) => (degrees > 180 ? degrees - 360 : degrees)),
    }),
    { minLength: 1, maxLength: 30 },
  )
const distance = (a: MapPoint, b: MapPoint): number => Math.hypot(a.x - b.x, a.y - b.y)

describe('projected map places', () => {
  it('keep their distances on the globe and stay inside the margin, also across the date line', () => {
    for (const longitude of [-97.7, 180])
      fc.assert(
        fc.property(places(longitude), (given) => {
          const { points, unitsPerKm, unitsPerDegree } = projectPlaces(given, FRAME)
          for (const { x, y } of points) assert.ok(x >= 39.9 && x <= 760.1 && y >= 39.9 && y <= 560.1, `${x} ${y}`)
          for (const [i, a] of given.entries())
            for (const [j, b] of given.entries()) {
              const [p, q] = [points[i], points[j]]
              if (p === undefined || q === undefined) continue
              const drawn = distance(p, q) / unitsPerKm
              assert.ok(Math.abs(drawn - kilometers(a, b)) < 0.05 + kilometers(a, b) * 0.01, `${drawn}`)
              if (a.latitude > b.latitude + 1e-9) assert.ok(p.y < q.y)
              assert.ok(Math.abs(q.y - p.y - (a.latitude - b.latitude) * unitsPerDegree.y) < 1e-6)
              if (longitude === 180) continue
              assert.ok(Math.abs(q.x - p.x - (b.longitude - a.longitude) * unitsPerDegree.x) < 1e-6)
            }
        }),
      )
  })

  it('move apart when they would overlap, and stay otherwise', () => {
    const point = fc.record({ x: fc.integer({ min: 100, max: 700 }), y: fc.integer({ min: 100, max: 500 }) })
    fc.assert(
      fc.property(fc.array(point, { maxLength: 25 }), (points) => {
        const moved = spreadPoints(points, 30, FRAME)
        assert.deepEqual(spreadPoints(points, 30, FRAME), moved)
        for (const [i, a] of moved.entries()) {
          assert.ok(a.x >= 20 && a.x <= 780 && a.y >= 20 && a.y <= 580)
          for (const b of moved.slice(i + 1)) assert.ok(distance(a, b) > 24, `${distance(a, b)}`)
        }
        if (points.every((a, i) => points.every((b, j) => i === j || distance(a, b) >= 30)))
          assert.deepEqual(
            moved,
            points.map(({ x, y }) => ({ x, y })),
          )
      }),
    )
  })

  it('are empty for no places', () => {
    assert.deepEqual(projectPlaces([], FRAME).points, [])
    assert.deepEqual(spreadPoints([], 30, FRAME), [])
  })
})
