import assert from 'node:assert/strict'
import { createSenders } from '../../../src/messaging/outbox/senders/senders.ts'
import { enrollmentTask } from '../../../src/worker/tasks/enrollment.ts'
import { reminderTask } from '../../../src/worker/tasks/reminders.ts'
import { runDue } from '../../../src/worker/worker.ts'
import type { Result } from '../../harness/harness.ts'
import { pageTextOf, submit } from '../../harness/identity/people_pages.ts'
import { captureLines } from '../../harness/processes/workers.ts'
import { startSite } from '../../harness/web_client.ts'
import { SENDERS, openScene } from '../scene.ts'

/** Time zone of the companies. */
export const ZONE = 'America/New_York'

/** Year after next, which has only these tests' records. */
export const YEAR = Temporal.Now.plainDateISO(ZONE).year + 2

export const march = (day: number): Temporal.PlainDate => Temporal.PlainDate.from({ year: YEAR, month: 3, day })

/** Day in March on which DST starts: the second Sunday. */
export const CHANGE = 14 - (march(7).dayOfWeek % 7)

export type ReminderScene = Awaited<ReturnType<typeof openReminderScene>>

/** Starts the service, with companies that turn on reminders. */
export async function openReminderScene() {
  const service = await startSite(SENDERS)
  const { log, lines } = captureLines()

  /** Opens a company with a customer, and turns on reminders on its settings page, if any. */
  async function begin(name: string, typed?: Record<string, string | string[]>) {
    const scene = await openScene(service, name)
    const dora = await scene.customer('Dora')
    const page = scene.at('settings', 'reminders')
    if (typed !== undefined) assert.equal((await submit(scene.browser, page, typed)).status, 303)
    return {
      scene,
      dora,
      visitOn: (date: Temporal.PlainDate, more: object = {}): Promise<Result> =>
        scene.call('jobs_create', {
          customer_id: dora.id,
          title: 'Drain',
          scheduled_start: `${date.toString()}T09:00`,
          ...more,
        }),
      makeSentInvoice: async (due_date: Temporal.PlainDate, more: object = {}): Promise<Result> => {
        const invoice = await scene.invoice(dora.id, {
          issue_date: due_date.subtract({ days: 14 }).toString(),
          due_date: due_date.toString(),
          ...more,
        })
        return scene.call('invoices_update', { id: invoice.id, status: 'sent' })
      },
      subjects: async (): Promise<(string | null)[]> => (await scene.listQueued()).map(({ subject }) => subject),
      abouts: async (): Promise<(string | null)[]> => (await scene.listQueued()).map(({ about_id }) => about_id),
      logPage: async (): Promise<string> =>
        pageTextOf(await scene.browser.get(scene.at('settings', 'reminders', 'log'))),
    }
  }

  return {
    service,
    begin,
    /** Runs the reminders due by a local time, with the senders of a configuration. */
    workAt: async (date: Temporal.PlainDate, time: string, config = service.config): Promise<void> => {
      const now = date.toZonedDateTime({ timeZone: ZONE, plainTime: time }).toInstant()
      const chores = [reminderTask(createSenders(config))]
      await runDue({ database: service.database, log, clock: () => now, stopping: new AbortController().signal }, [
        ...chores,
        enrollmentTask(chores),
      ])
      assert.deepEqual(lines, [])
    },
    stop: () => service.stop(),
  }
}
