import { parseArgs } from 'node:util'
import { openFieldOffice, type Booked } from './field_day/office.ts'
import { openPerson, type Tally } from './field_day/person.ts'
import { actsOn } from './field_day/plan.ts'
import { openService } from './field_day/service.ts'

// node bench/field_day.ts [--days 5] [--visits 2]: a technician's day with every kind of act in Chromium, while the network is cut,
// slowed and flapping, loses answers and turns them into faults, and the page, the browser and the service are killed (SIGKILL) at any
// moment. What the database has afterwards is compared with that of an undisturbed day: a row that is there twice, or not at all, ends it
// with 1. How long it takes says nothing.
const { values } = parseArgs({
  options: { days: { type: 'string', default: '5' }, visits: { type: 'string', default: '2' } },
})

for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(1))
const service = await openService()
const office = await openFieldOffice(service)
const none = (): Tally => ({ acts: 0, pages: 0, browsers: 0, services: 0, signIns: 0, unopened: 0 })
const expected = await rowsAfter(await office.book(Number(values.visits)), none(), false)
const total = { days: 0, 'other end': 0, doubled: 0, lost: 0, ...none() }
for (let day = 0; day < Number(values.days); day++) {
  const rows = await rowsAfter(await office.book(Number(values.visits)), total, true)
  const [doubled, lost] = [without(rows, expected), without(expected, rows)]
  for (const row of doubled) console.log('only here:', row)
  for (const row of lost) console.log('missing:', row)
  total.days++
  total.doubled += doubled.length
  total.lost += lost.length
  total['other end'] += doubled.length + lost.length > 0 ? 1 : 0
  console.log(JSON.stringify({ ...total, faults: service.network.tally.faults, rows: rows.length }))
}
console.table([{ ...total, faults: service.network.tally.faults, rows: expected.length }])
await office.end()
await service.stop()
process.exitCode = total.doubled + total.lost === 0 ? 0 : 1

/** Runs a field day, and returns the database's rows about it. */
async function rowsAfter(booked: Booked, tally: Tally, isDisturbed: boolean): Promise<string[]> {
  const person = await openPerson(service, office.id, booked.luis.email, tally, isDisturbed)
  await person.signIn()
  for (const [i, visit] of booked.visits.entries()) {
    const acts = actsOn(i)
    for (const [at, doing] of acts.entries())
      await person.act(visit, doing, acts.slice(0, at + 1).filter(({ says }) => says === doing.says).length)
  }
  for (const left of await person.endDay()) console.log('not sent:', left)
  const rows = await office.rowsOf(booked)
  await person.close()
  return rows
}

/** Returns the rows that are more often in one list than in another. */
function without(rows: readonly string[], others: readonly string[]): string[] {
  const left = Map.groupBy(others, (row) => row)
  return rows.filter((row) => left.get(row)?.pop() === undefined)
}
