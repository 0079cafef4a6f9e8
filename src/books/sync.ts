import { isRunning } from './connection/connection.ts'
import { recordsToCancel, invoicesDue, paymentsDue, tipsDue, writeOffsDue } from './documents/sources.ts'
import { cancelRecord, sendInvoice, sendPayment, sendTip, sendWriteOff } from './documents/send_records.ts'
import type { BooksRun } from './send.ts'

/** Maximum records per batch and per run; companies take turns. */
const [BATCH_SIZE, MAX_RECORDS] = [20, 200]

type Step = () => Promise<void>

/** Syncs the program's company with our books. Returns whether everything is done. */
export async function syncRecords(run: BooksRun, from: string, currency: string): Promise<boolean> {
  for (let count = 0; count < MAX_RECORDS;) {
    const steps = await nextSteps(run, from, currency)
    if (steps.length === 0) return true
    for (const step of steps) {
      // Pausing or disconnecting waits for one record at most.
      if (!(await run.write((db) => isRunning(db, run.key)))) return true
      await step()
    }
    count += steps.length
  }
  return false
}

/** Returns the next steps: cancellations first, then invoices, then the records that depend on them. */
async function nextSteps(run: BooksRun, from: string, currency: string): Promise<Step[]> {
  const { key, write } = run
  const canceled = await write((db) => recordsToCancel(db, key, BATCH_SIZE))
  if (canceled.length > 0)
    return canceled.map(
      ({ kind, id }) =>
        () =>
          cancelRecord(run, { key, kind, id }, currency),
    )
  const invoices = await write((db) => invoicesDue(db, key, from, BATCH_SIZE))
  if (invoices.length > 0)
    return invoices.map(
      ({ id }) =>
        () =>
          sendInvoice(run, id),
    )
  const payments = await write((db) => paymentsDue(db, key, from, BATCH_SIZE))
  if (payments.length > 0) return payments.map((payment) => () => sendPayment(run, payment))
  const tips = run.sendsTips ? await write((db) => tipsDue(db, key, from, BATCH_SIZE)) : []
  if (tips.length > 0) return tips.map((tip) => () => sendTip(run, tip))
  const writeOffs = await write((db) => writeOffsDue(db, key, from, BATCH_SIZE))
  return writeOffs.map(
    ({ id }) =>
      () =>
        sendWriteOff(run, id),
  )
}
