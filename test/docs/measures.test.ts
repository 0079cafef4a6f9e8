import assert from 'node:assert/strict'
import { it } from 'node:test'
import { measure } from '../../scripts/measure.ts'

/** Limits of size and shape. A change may lower one, never raise it. */
const LIMITS = {
  sourceLines: 115_000,
  longFunctions: 25,
  casts: 370,
  doubleCasts: 18,
  nonNulls: 725,
  wideLines: 2_700,
  crowdedFolders: 0,
  participles: 65,
  oddComments: 1_556,
}

it('size and shape of the source stay within their limits (node scripts/measure.ts lists the places)', async () => {
  const measures = await measure()
  for (const [name, limit] of Object.entries(LIMITS)) {
    const value = measures[name as keyof typeof LIMITS]
    const count = typeof value === 'number' ? value : value.length
    assert.ok(count <= limit, `${name}: ${count}, above ${limit}`)
  }
})
