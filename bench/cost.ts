import { parseArgs } from 'node:util'
import { openOffice, startOutside } from './cost/office.ts'
import { everyTarget } from './cost/every_target.ts'
import { everyRoute, routeFinder } from './cost/routes.ts'
import { routeOf, unmeasuredRoutes } from './cost/unmeasured_routes.ts'
import { bestOf, costRatio, search, slowdown, sweep, describeCost } from './cost/search.ts'

// node bench/cost.ts --minutes 60 [--seed 1] [--only jobs]: finds the requests that block the event loop longest. Prints the
// ten costliest by longest stretch and total, and those that caused a fault.
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
  // Routes that depend on no record are only among the growing targets. They are sent here unchanged.
  const missing = new Set(unmeasuredRoutes(office, large.costliest))
  const find = routeFinder(everyRoute(office))
  const usual = await sweep(
    office,
    growing.filter((target) => missing.has(routeOf(find, target) ?? '')),
  )
  for (const route of unmeasuredRoutes(office, [...large.costliest, ...usual.costliest]))
    console.log('unmeasured, because it accepted no request:', route)
}
const end = Date.now() + Number(values.minutes) * 60_000
const { costliest, tried, statuses, faults } = await search(
  office,
  growing,
  Number(values.seed),
  () => Date.now() < end,
)
// The largest records have changed since, so their requests were confirmed at once and aren't repeated here.
const sure = large.costliest.slice(0, 10)
for (const one of costliest.slice(0, 20)) sure.push(await bestOf(3, office, one))
console.log(
  `${tried + targets.length - growing.length} requests to ${targets.length} targets; this machine runs ${slowdown().toFixed(1)} times slower than an idle one`,
)
console.log(statuses)
for (const one of [...large.faults, ...faults]) console.log('fault', describeCost(one))
for (const one of sure.toSorted((a, b) => costRatio(b) - costRatio(a)).slice(0, 10)) console.log(describeCost(one))
await office.stop()
await outside.stop()
