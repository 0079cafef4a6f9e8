import pino from 'pino'
import { openBooks } from '../../../src/books/books.ts'
import { openDataKeys } from '../../../src/identity/data_keys.ts'
import { internet } from '../../../src/identity/public_request.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { openDatabase } from '../../../src/platform/db/database.ts'
import { booksTask } from '../../../src/worker/tasks/outside/books.ts'
import { runDue } from '../../../src/worker/worker.ts'
import { countSteps } from '../processes/simulated_death.ts'

export type SenderInput = { login: object; now: string; env: Record<string, string>; dieAt: number | null }

/** Input of this process, which sends what is due and kills itself before a round trip to the database. */
const { login, now, env, dieAt } = JSON.parse(process.argv[2] ?? '') as SenderInput
const { database } = countSteps(openDatabase(login, { maxConnections: 3 }), (number) => {
  if (dieAt === null || number < dieAt) return Promise.resolve()
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => {})
})
const config = readConfig(env)
const books = openBooks({
  database,
  dataKeys: openDataKeys(config.dataKey),
  network: internet,
  baseUrl: config.baseUrl,
  config: config.books,
})
const clock = (): Temporal.Instant => Temporal.Instant.from(now)
await runDue({ database, log: pino({ level: 'silent' }), clock, stopping: new AbortController().signal }, [
  booksTask(books, config.baseUrl),
])
process.exit(0)
