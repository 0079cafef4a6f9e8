import { openDatabase } from '../../../src/platform/db/database.ts'
import { parseEmail, receiveEmail } from '../../../src/messaging/inbox/inbound/inbound_email.ts'
import { openStorage } from '../../../src/platform/storage/open_storage.ts'
import { runDue } from '../../../src/worker/worker.ts'
import { uploadTask } from '../../../src/worker/tasks/uploads.ts'
import { countSteps } from './simulated_death.ts'
import { captureLines } from './workers.ts'

/** Input of this process, which receives a mail or uploads attachments. At `step` it reports and waits to be killed. */
type Given = { login: object; step: number; mail?: string; directory?: string; now?: string }
const { login, step, mail, directory, now } = JSON.parse(process.argv[2]!) as Given

const { database, between } = countSteps(openDatabase(login), async (number) => {
  if (number !== step) return
  process.stdout.write('here')
  await new Promise((resolve) => setTimeout(resolve, 60_000))
})

if (mail !== undefined) {
  const body = Buffer.from(mail)
  await receiveEmail(database, (await parseEmail(body))!, body)
} else {
  const files = openStorage({ kind: 'directory', directory: directory! })
  const storage = { ...files, save: (...given: Parameters<typeof files.save>) => between(() => files.save(...given)) }
  const clock = (): Temporal.Instant => Temporal.Instant.from(now!)
  await runDue({ database, log: captureLines().log, clock, stopping: new AbortController().signal }, [
    uploadTask(storage),
  ])
}
process.stdout.write('over')
process.exit(0)
