import { parseArgs } from 'node:util'
import { openOffice, startOutside } from './cost/office.ts'
import { everyTarget } from './cost/every_target.ts'
import { everyRoute, routeFinder } from './cost/routes.ts'
import { routeOf, unmeasuredRoutes } from './cost/unmeasured_routes.ts'
import { bestOf, dearness, search, slowness, sweep, describeCost } from './cost/search.ts'

/** Looks for the requests that hold the event loop longest, and prints the ten dearest by longest stretch and total, and those that led to a fault: `node bench/cost.ts --minutes 60 [--seed 1] [--only jobs]`. */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
})

const outside = await startOutside()
const office = await openOffice(undefined, outside)
const targets = (await everyTarget(office, outside)).filter(({ name }) => name.includes(values.only))
const large = await sweep(
  office,
  targets.filter(({ isLarge }) => isLarge === true),
)
const growing = targets.filter(({ isLarge }) => isLarge !== true)
if (values.only === '') {
  // What depends on no record is only among those that grow, which are sent here as they usually are.
  const missing = new Set(unmeasuredRoutes(office, large.dearest))
  const find = routeFinder(everyRoute(office))
  const usual = await sweep(
    office,
    growing.filter((target) => missing.has(routeOf(find, target) ?? '')),
  )
  for (const route of unmeasuredRoutes(office, [...large.dearest, ...usual.dearest]))
    console.log('unmeasured, it let no request through:', route)
}
const end = Date.now() + Number(values.minutes) * 60_000
const { dearest, tried, statuses, faults } = await search(office, growing, Number(values.seed), () => Date.now() < end)
// What was written or ended since would make the largest records' requests cheap: those were confirmed at once.
const sure = large.dearest.slice(0, 10)
for (const one of dearest.slice(0, 20)) sure.push(await bestOf(3, office, one))
console.log(
  `${tried + targets.length - growing.length} requests to ${targets.length} targets; this machine is ${slowness().toFixed(1)} times as slow as an idle one`,
)
console.log(statuses)
for (const one of [...large.faults, ...faults]) console.log('fault', describeCost(one))
for (const one of sure.toSorted((a, b) => dearness(b) - dearness(a)).slice(0, 10)) console.log(describeCost(one))
await office.stop()
await outside.stop()
