import pino from 'pino'
import { readConfig } from '../../src/platform/config/config.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { readRefusals } from '../../src/platform/db/refusals.ts'
import { startService } from '../../src/start/service.ts'

// Runs the service on a persistent database. It may be killed and started again, and ends with the process that started it.
const { login, env } = JSON.parse(process.argv[2]!) as { login: object; env: Record<string, string> }
const database = openDatabase(login)
await readRefusals(database)
await startService(readConfig(env), database, pino({ level: 'error' }, pino.destination(2)), null)
process.stdin.resume().once('end', () => process.exit())
process.stdout.write('listens')
