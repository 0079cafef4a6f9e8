import { parseArgs } from 'node:util'
import { openOffice } from './cost/office.ts'
import { pelt } from './malformed/pelt.ts'
import { malformedTargets } from './malformed/targets.ts'

// node bench/malformed.ts --count 100000 [--seed 1] [--only jobs]: sends malformed requests to every tool, method, form, page,
// webhook and address of the authorization server. Prints the statuses of the answers, and the faults.
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
})

const office = await openOffice()
const targets = (await malformedTargets(office)).filter(({ name }) => name.includes(values.only))
const began = Date.now()
const { sent, statuses, late, faults } = await pelt(office, targets, {
  seed: Number(values.seed),
  count: Number(values.count),
})
console.log(`${sent} requests to ${targets.length} targets in ${Math.round((Date.now() - began) / 1000)} s`)
console.log(statuses, `the database was too slow ${late} times`)
for (const fault of faults) console.log(fault)
await office.stop()
