import { parseArgs } from 'node:util'
import { openFieldOffice, type Booked } from './field_day/office.ts'
import { openPerson, type Tally } from './field_day/person.ts'
import { actionsOn } from './field_day/plan.ts'
import { openService } from './field_day/service.ts'

// node bench/field_day.ts [--days 5] [--visits 2]: runs a technician's day with every kind of event in Chromium, while the network
// is cut, slow or flapping, drops answers or answers 503, and the page, the browser and the service are killed (SIGKILL) at random.
// Compares the database with that of an undisturbed day, and exits with 1 if a row is duplicated or missing. Its duration has no
// meaning.
const { values } = parseArgs({
  options: { days: { type: 'string', default: '5' }, visits: { type: 'string', default: '2' } },
})

for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(1))
const service = await openService()
const office = await openFieldOffice(service)
const none = (): Tally => ({ actions: 0, pages: 0, browsers: 0, services: 0, signIns: 0, unopened: 0 })
const expected = await rowsAfter(await office.book(Number(values.visits)), none(), false)
const total = { days: 0, 'different days': 0, duplicated: 0, lost: 0, ...none() }
for (let day = 0; day < Number(values.days); day++) {
  const rows = await rowsAfter(await office.book(Number(values.visits)), total, true)
  const [duplicated, lost] = [without(rows, expected), without(expected, rows)]
  for (const row of duplicated) console.log('only in this run:', row)
  for (const row of lost) console.log('missing:', row)
  total.days++
  total.duplicated += duplicated.length
  total.lost += lost.length
  total['different days'] += duplicated.length + lost.length > 0 ? 1 : 0
  console.log(JSON.stringify({ ...total, faults: service.network.tally.faults, rows: rows.length }))
}
console.table([{ ...total, faults: service.network.tally.faults, rows: expected.length }])
await office.end()
await service.stop()
process.exitCode = total.duplicated + total.lost === 0 ? 0 : 1

/** Runs a technician's day, and returns its rows in the database. */
async function rowsAfter(booked: Booked, tally: Tally, isDisturbed: boolean): Promise<string[]> {
  const person = await openPerson(service, office.id, booked.luis.email, tally, isDisturbed)
  await person.signIn()
  for (const [i, visit] of booked.visits.entries()) {
    const actions = actionsOn(i)
    for (const [at, action] of actions.entries())
      await person.act(visit, action, actions.slice(0, at + 1).filter(({ label }) => label === action.label).length)
  }
  for (const entry of await person.endDay()) console.log('not sent:', entry)
  const rows = await office.rowsOf(booked)
  await person.close()
  return rows
}

/** Returns the rows that are in one list more often than in the other. */
function without(rows: readonly string[], others: readonly string[]): string[] {
  const remaining = Map.groupBy(others, (row) => row)
  return rows.filter((row) => remaining.get(row)?.pop() === undefined)
}
