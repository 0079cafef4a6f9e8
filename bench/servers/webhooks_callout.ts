import type pg from 'pg'
import { readConfig } from '../../src/platform/config/config.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { openLog, openLogLines } from '../../src/platform/telemetry/log.ts'
import { startService } from '../../src/start/service.ts'
import { report } from './report.ts'

// The service as it runs, without its worker.
const { login, secret } = JSON.parse(process.argv[2]!) as { login: pg.ClientConfig; secret: string }
const log = openLog('info', openLogLines('/dev/null', true))
const service = await startService(
  { ...readConfig({ PAYMENTS_SECRET_KEY: 'sk_test_1', PAYMENTS_WEBHOOK_SECRET_CONNECT_TEST: secret }), port: 0 },
  openDatabase(login),
  log,
  null,
)
report(service.port)
process.on('SIGINT', () => process.exit(0))
