import { openDatabase } from '../../../src/platform/db/database.ts'
import { runDue } from '../../../src/worker/worker.ts'
import { atSix, mark, remembering } from './workers.ts'

/** Input of this process, which does `first`, then waits to be killed inside the transaction of `second`. */
const { login, now } = JSON.parse(process.argv[2]!) as { login: object; now: string }
const chore = atSix(async ({ write }) => {
  await write(mark('first', 'killed'))
  await write(async (db) => {
    await mark('second', 'killed')(db)
    process.stdout.write('inside')
    await new Promise((resolve) => setTimeout(resolve, 60_000))
  })
})
const clock = (): Temporal.Instant => Temporal.Instant.from(now)
await runDue({ database: openDatabase(login), log: remembering().log, clock, stopping: new AbortController().signal }, [
  chore,
])
