import { readConfig } from '../../src/platform/config/config.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { readRefusals } from '../../src/platform/db/refusals.ts'
import { openLog, openLogLines } from '../../src/platform/telemetry/log.ts'
import { startService } from '../../src/start/service.ts'
import type { Setup } from '../setup.ts'
import { report } from './report.ts'

// The service itself, as it runs: checks, limits, row-level security, a log line a request. With a port as its second
// argument it listens there, prints a line when it does, and stops on SIGTERM as the service does.
const setup = JSON.parse(process.argv[2]!) as Setup
const database = openDatabase(setup.login)
await readRefusals(database)
const config = {
  ...readConfig({ BASE_URL: setup.baseUrl, RATE_LIMIT_PER_CREDENTIAL: '1000000', RATE_LIMIT_PER_TENANT: '1000000' }),
  port: Number(process.argv[3] ?? 0),
}
const service = await startService(config, database, openLog('info', openLogLines('/dev/null', true)))
if (process.argv[3] === undefined) report(service.port)
else process.stdout.write('listens')
process.on('SIGTERM', () => void service.stop().then(() => process.exit(0)))
