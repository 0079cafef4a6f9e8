import assert from 'node:assert/strict'
import { it } from 'node:test'
import { measure } from '../../scripts/measure.ts'

/** Limits of size and shape. A change may lower one, never raise it. */
const LIMITS = {
  sourceLines: 111_500,
  longFunctions: 15,
  casts: 365,
  doubleCasts: 18,
  nonNulls: 722,
  wideLines: 2_560,
  crowdedFolders: 0,
  participles: 67,
  oddComments: 380,
}

it('size and shape of the source stay within their limits (node scripts/measure.ts lists the places)', async () => {
  const measures = await measure()
  for (const [name, limit] of Object.entries(LIMITS)) {
    const value = measures[name as keyof typeof LIMITS]
    const count = typeof value === 'number' ? value : value.length
    assert.ok(count <= limit, `${name}: ${count}, above ${limit}`)
  }
})
