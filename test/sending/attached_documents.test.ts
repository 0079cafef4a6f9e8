import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { todayIn } from '../../src/platform/validation/formats/instants.ts'
import { configurableTasks } from '../../src/worker/configurable_tasks.ts'
import { enrollmentTask } from '../../src/worker/tasks/enrollment.ts'
import { runDue } from '../../src/worker/worker.ts'
import { readPdf } from '../harness/files/pdf.ts'
import type { TestService } from '../harness/harness.ts'
import { sendForm, submit } from '../harness/identity/people_pages.ts'
import { startMailServer } from '../harness/messaging/mail_server.ts'
import { captureLines } from '../harness/processes/workers.ts'
import { startSite } from '../harness/web_client.ts'
import { openScene, type Scene } from './scene.ts'

let mail: Awaited<ReturnType<typeof startMailServer>>
let service: TestService
let scene: Scene
before(async () => {
  mail = await startMailServer()
  service = await startSite({
    SMTP_URL: `smtp://user:p%40ss@127.0.0.1:${mail.config.port}`,
    MAIL_FROM: 'office@example.com',
  })
  scene = await openScene(service, 'Alder Plumbing')
})
after(async () => {
  await service.stop()
  await mail.stop()
})

const { log, lines } = captureLines()

/** Runs the tasks until nothing is due. */
async function work(): Promise<void> {
  const tasks = configurableTasks(service.config, service.database).filter(({ name }) =>
    ['notices', 'statement_sending', 'email_sending'].includes(name),
  )
  for (let i = 0; i < 4; i++) {
    const now = Temporal.Now.instant().add({ seconds: 5 })
    await runDue({ database: service.database, log, clock: () => now, stopping: new AbortController().signal }, [
      ...tasks,
      enrollmentTask(tasks),
    ])
  }
  assert.deepEqual(lines, [])
}

/** Returns the PDF name and text of the only email to an address. */
async function readAttachment(address: string): Promise<{ name: string; text: string }> {
  const taken = mail.taken.filter(({ to }) => to.includes(address))
  assert.equal(taken.length, 1, address)
  const [file, ...more] = taken[0]!.mail.attachments
  assert.deepEqual([more, file!.contentType], [[], 'application/pdf'])
  return { name: file!.filename ?? '', text: (await readPdf(new Uint8Array(file!.content))).text }
}

it('a receipt and a statement are sent with their PDF', async () => {
  const { id: paying } = await scene.customer('Anna')
  const invoice = await scene.invoice(String(paying))
  await submit(scene.browser, scene.at('invoices', String(invoice['id']), 'payment'), {
    amount_cents: '500',
    method: 'cash',
  })
  await work()
  const receipt = await readAttachment('anna@example.com')
  assert.match(receipt.name, /^INV-\d+-1\.pdf$/)
  for (const words of ['Receipt', 'Payment for invoice', '$500.00', '$1,500.00'])
    assert.ok(receipt.text.includes(words), words)
  mail.taken.length = 0
  const today = todayIn('America/New_York')
  const range = { from: today.with({ day: 1 }).toString(), to: today.toString() }
  await sendForm(scene.browser, scene.at('reports', 'statements'), Object.entries(range))
  await work()
  const statement = await readAttachment('anna@example.com')
  for (const words of ['Statement', 'Balance', '$1,500.00']) assert.ok(statement.text.includes(words), words)
})
