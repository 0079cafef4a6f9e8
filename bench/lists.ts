import { openDatabase } from '../src/platform/db/database.ts'
import { makeDatabase } from '../test/harness/harness.ts'
import { compare } from './lists/compare.ts'
import { fill } from './lists/fill.ts'
import { openPlans } from './lists/plans.ts'
import { report } from './lists/report.ts'

// Fills a database of its own with a million each of customers, jobs, invoices, quotes and notes over a thousand companies, then asks
// the tools' own lists of a large company and of a small one. Takes some minutes. `--plans` tells how each list reaches its rows.
const made = await makeDatabase()
const database = openDatabase(made.login, { maxConnections: 1 })
const plans = await openPlans(made.owner)
try {
  const companies = await fill(made.owner, (line) => console.log(line))
  report(await compare(database, plans, companies), { tellsPlans: process.argv.includes('--plans') })
} finally {
  await plans.close()
  await database.close()
  await made.drop()
}
