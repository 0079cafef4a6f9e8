import type pg from 'pg'
import pino from 'pino'
import { WEBHOOK_ENV } from '../../test/webhook_calls.ts'
import { readConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/db/database.ts'
import { startService } from '../../src/service.ts'
import { report } from './report.ts'

// The service as it runs, without its worker.
const { owner } = JSON.parse(process.argv[2]!) as { owner: pg.ClientConfig }
const log = pino({ level: 'info' }, pino.destination({ dest: '/dev/null', sync: false, minLength: 4096 }))
const service = await startService({ ...readConfig(WEBHOOK_ENV), port: 0 }, openDatabase(owner), log, null)
report(service.port)
process.on('SIGINT', () => process.exit(0))
