import { aggregateProfitDays } from '../src/mobile/profit/profit_report.ts'
import { writeTenant, type WritableDb } from '../src/platform/db/tenant.ts'
import { aggregateSalesDays } from '../src/records/invoices/index.ts'
import { PASSWORD, givePassword, startSite } from '../test/harness/web_client.ts'
import { signIn, type DemoService } from './demo_service.ts'
import { fill } from './lists/fill.ts'

/** Starts the service with a company of 100,000 records of each kind, and signs its owner in. */
export async function startLargeService(): Promise<Omit<DemoService, 'pid' | 'dataDir'>> {
  const { owner, database, config, stop } = await startSite()
  try {
    const { large } = await fill(owner, (line) => console.log(line), 2)
    await givePassword(database, large.id, large.owner)
    const write = <T>(work: (db: WritableDb) => Promise<T>): Promise<T> =>
      writeTenant(database, { tenant: large.id }, work)
    while (await write(aggregateSalesDays));
    while (await write((db) => aggregateProfitDays(db, 'America/Chicago')));
    return {
      port: config.port,
      tenant: large.id,
      cookie: await signIn(config.port, 'user1.1@example.com', PASSWORD),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
