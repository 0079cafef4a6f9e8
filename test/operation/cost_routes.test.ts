import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { METHODS } from '../../src/mcp/methods.ts'
import { entities } from '../../src/records/index.ts'
import { toolCatalogOf } from '../../src/tools/declare/catalog.ts'
import { everyTarget } from '../../bench/cost/every_target.ts'
import { openOffice, startOutside, type Office, type Outside } from '../../bench/cost/office.ts'
import { chanceFrom } from '../../bench/cost/genes.ts'
import { methodOf, type Target } from '../../bench/cost/requests.ts'
import { REFUSED_ROUTES } from '../../bench/cost/refused_routes.ts'
import { everyRoute, routeFinder, routeName } from '../../bench/cost/routes.ts'
import { dearness, slowness, sweep, told } from '../../bench/cost/search.ts'

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

const routeOf = (target: Target): string | undefined => {
  if (target.route !== undefined) return target.route
  const sent = target.request([])
  return find(methodOf(sent), sent.path)
}

/** Targets that differ only in who asks: signed out, or a technician. The search looks at those. */
const SAME_FOR_OTHERS = /, (?:signed out|a technician)$/
/** Pages and forms of the small company, which the largest records stand for. */
const SMALL = /^(?:GET|POST) \/(?!c\/|oauth\/|auth\/|health\/|\.well-known\/)/

/** Number of targets of a run: some seconds. `node bench/cost.ts` measures all. */
const SAMPLE = 40

describe('the cost of requests', () => {
  it('is measured at every address and of every tool and method that is registered', () => {
    const reached = new Set(targets.map(routeOf))
    const routes = everyRoute(office).map(routeName)
    assert.deepEqual(
      routes.filter((route) => !reached.has(route)),
      [],
    )
    for (const route of Object.values(REFUSED_ROUTES).flat()) assert.ok(routes.includes(route), route)
    const names = new Set(targets.map(({ name }) => name))
    for (const name of [...toolCatalogOf(entities).tools.keys(), ...METHODS]) assert.ok(names.has(name), name)
  })

  it('is at most 50 ms at a stretch and 250 ms in all, of records at the limits and of others, at random', async (t) => {
    const seed = Date.now()
    t.diagnostic(`seed ${seed}`)
    const large = targets.filter(
      ({ name, isLarge }) => isLarge === true || !(SAME_FOR_OTHERS.test(name) || SMALL.test(name)),
    )
    const { dearest, faults } = await sweep(office, sampleOf(large, SAMPLE, seed))
    assert.equal(dearest.length, SAMPLE)
    assert.deepEqual(faults.map(told), [])
    assert.deepEqual(dearest.filter((one) => dearness(one) > slack()).map(told), [])
  })
})

/** A loaded machine shares its caches too, so the calibrated factor is taken twice. */
const slack = (): number => 2 * slowness()

/** Returns some of a list, in its order. */
function sampleOf<T>(list: readonly T[], count: number, seed: number): T[] {
  const chance = chanceFrom(seed)
  const chosen = new Set<T>()
  while (chosen.size < count) chosen.add(chance.of(list))
  return list.filter((one) => chosen.has(one))
}
