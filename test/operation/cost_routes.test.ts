import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { METHODS } from '../../src/mcp/methods.ts'
import { entities } from '../../src/records/index.ts'
import { toolCatalogOf } from '../../src/tools/declare/catalog.ts'
import { everyTarget } from '../../bench/cost/every_target.ts'
import { openOffice, startOutside, type Office, type Outside } from '../../bench/cost/office.ts'
import { seededRandom } from '../../bench/cost/genes.ts'
import type { Target } from '../../bench/cost/requests.ts'
import { everyRoute, routeFinder, routeName } from '../../bench/cost/routes.ts'
import { isLetThrough, routeOf } from '../../bench/cost/unmeasured_routes.ts'
import { costRatio, isWithin, sweep, describeCost } from '../../bench/cost/search.ts'

let outside: Outside
let office: Office
let targets: Target[]
let find: ReturnType<typeof routeFinder>
before(async () => {
  outside = await startOutside()
  office = await openOffice(undefined, outside)
  targets = await everyTarget(office, outside)
  find = routeFinder(everyRoute(office))
})
after(async () => {
  await office.stop()
  await outside.stop()
})

/** Targets that differ only in who asks: signed out, or a technician. The full search covers them. */
const SAME_FOR_OTHERS = /, (?:signed out|a technician)$/
/** Pages and forms of the small company. Those of the large one stand for them. */
const SMALL = /^(?:GET|POST) \/(?!c\/|oauth\/|auth\/|health\/|\.well-known\/)/

/** Number of targets per run, and of those with a prepared state: some seconds. `node bench/cost.ts` measures all. */
const [SAMPLE, STATES] = [40, 15]

describe('the cost of requests', () => {
  it('has a target for every route, tool and method', () => {
    const reached = new Set(targets.map((target) => routeOf(find, target)))
    const routes = everyRoute(office).map(routeName)
    assert.deepEqual(
      routes.filter((route) => !reached.has(route)),
      [],
    )
    for (const { route } of targets) if (route !== undefined) assert.ok(routes.includes(route), route)
    const names = new Set(targets.map(({ name }) => name))
    for (const name of [...toolCatalogOf(entities).tools.keys(), ...METHODS]) assert.ok(names.has(name), name)
  })

  it('stays within 50 ms at a stretch and 250 ms in total for a random sample', async (t) => {
    const seed = Date.now()
    t.diagnostic(`seed ${seed}`)
    const large = targets.filter(
      ({ name, isLarge }) => isLarge === true || !(SAME_FOR_OTHERS.test(name) || SMALL.test(name)),
    )
    const inStates = large.filter(({ route }) => route !== undefined)
    const others = large.filter(({ route }) => route === undefined)
    const { costliest, faults } = await sweep(office, [
      ...sampleOf(others, SAMPLE, seed),
      ...sampleOf(inStates, STATES, seed),
    ])
    assert.equal(costliest.length, SAMPLE + STATES)
    assert.deepEqual(faults.map(describeCost), [])
    assert.deepEqual(costliest.filter((one) => !isWithin(costRatio(one), 1)).map(describeCost), [])
    const refused = costliest.filter((one) => one.target.route !== undefined && !isLetThrough(one))
    assert.deepEqual(refused.map(describeCost), [], 'a prepared request is let through')
  })
})

/** Returns random items of a list in their order. */
function sampleOf<T>(list: readonly T[], count: number, seed: number): T[] {
  const random = seededRandom(seed)
  const chosen = new Set<T>()
  while (chosen.size < count) chosen.add(random.of(list))
  return list.filter((one) => chosen.has(one))
}
