import { openDatabase } from '../../../src/platform/db/database.ts'
import { runDue } from '../../../src/worker/worker.ts'
import { dailyTask, recordDone, captureLines } from './workers.ts'

/** Input of this process, which does `first`, then waits to be killed inside the transaction of `second`. */
const { login, now } = JSON.parse(process.argv[2]!) as { login: object; now: string }
const chore = dailyTask(async ({ write }) => {
  await write(recordDone('first', 'killed'))
  await write(async (db) => {
    await recordDone('second', 'killed')(db)
    process.stdout.write('inside')
    await new Promise((resolve) => setTimeout(resolve, 60_000))
  })
})
const clock = (): Temporal.Instant => Temporal.Instant.from(now)
await runDue(
  { database: openDatabase(login), log: captureLines().log, clock, stopping: new AbortController().signal },
  [chore],
)
