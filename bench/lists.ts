import { openDatabase } from '../src/platform/db/database.ts'
import { makeDatabase } from '../test/harness/harness.ts'
import { compare } from './lists/compare.ts'
import { fill } from './lists/fill.ts'
import { openPlans } from './lists/plans.ts'
import { report } from './lists/report.ts'

// Fills a new database with a million customers, jobs, invoices, quotes and notes each, in a thousand companies, then calls the
// list tools for a large company and a small one. Takes some minutes. `--plans` prints the query plan of each list.
const testDatabase = await makeDatabase()
const database = openDatabase(testDatabase.login, { maxConnections: 1 })
const plans = await openPlans(testDatabase.owner)
try {
  const companies = await fill(testDatabase.owner, (line) => console.log(line))
  report(await compare(database, plans, companies), { showsPlans: process.argv.includes('--plans') })
} finally {
  await plans.close()
  await database.close()
  await testDatabase.drop()
}
