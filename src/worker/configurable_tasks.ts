import { openBooks } from '../books/books.ts'
import { openDataKeys } from '../identity/data_keys.ts'
import { accountMailing } from '../identity/security/notices/account_mail.ts'
import type { WatchedConfig } from '../health/watch.ts'
import { internet, type Network } from '../identity/public_request.ts'
import type { Config } from '../platform/config/config.ts'
import type { Database, Db } from '../platform/db/tenant.ts'
import type { PdfDocumentData } from '../pdf/document.ts'
import { readPdfDocument } from '../pdf/read_document.ts'
import { readReceiptDocument } from '../pdf/receipt.ts'
import { readStatementDocument } from '../pdf/statement.ts'
import { findSentStatement } from '../messaging/statements/send.ts'
import { renderPdf } from '../pdf/pdf.ts'
import { pictureFetcher } from '../files/catalog_pictures.ts'
import { fileFetcher } from '../files/fetching.ts'
import { openGeocoder } from '../scheduling/places/geocoder.ts'
import { openRouter } from '../scheduling/travel/router.ts'
import { openStorage } from '../platform/storage/open_storage.ts'
import type { OutgoingAttachment } from '../messaging/outbox/outgoing.ts'
import type { Sender } from '../messaging/outbox/senders/sender.ts'
import { createSenders, type Senders } from '../messaging/outbox/senders/senders.ts'
import { openCheckout } from '../payments/hosted_checkout.ts'
import type { PaymentsAccess } from '../payments/payments_api.ts'
import { openSavedPayments } from '../payments/saved/saved_payments_api.ts'
import { accountMailTask } from './tasks/account_mail.ts'
import { booksTask } from './tasks/outside/books.ts'
import { checkoutEndTask } from './tasks/outside/checkout.ts'
import { paymentMethodTask } from './tasks/outside/saved_payments.ts'
import type { PeriodicTask } from './periodic_task.ts'
import { conversationTask } from './tasks/conversations.ts'
import { companyExportTask } from './tasks/company_export.ts'
import { erasureTask } from './tasks/erasures.ts'
import { fetchTask } from './tasks/outside/fetches.ts'
import { catalogPictureTask } from './tasks/outside/pictures.ts'
import { openVapid } from '../messaging/push/vapid.ts'
import { pushNotificationTasks } from './tasks/outside/push.ts'
import { geocodingTask, routingTask } from './tasks/outside/places.ts'
import { fileRemovalTask } from './tasks/file_removals.ts'
import { noticeTask } from './tasks/notices.ts'
import { healthCheckTask } from './tasks/installation/health.ts'
import { reminderTask } from './tasks/reminders.ts'
import { retentionTask } from './tasks/retention.ts'
import { sendingTasks, type ReadDocument } from './tasks/sending.ts'
import { statementTask } from './tasks/statements.ts'
import { uploadTask } from './tasks/uploads.ts'
import { weeklyReportTask } from './tasks/weekly_report.ts'

type TaskOptions = {
  network?: Network
  /** Called with the outcome of each message that is handed to a provider. */
  countHandover?: (channel: 'email' | 'sms', outcome: string) => void
}

/** Returns the tasks that depend on the configuration. */
export function configurableTasks(
  config: Pick<Config, 'assistant' | 'retention' | 'geocoder' | 'router' | 'processes' | 'push' | 'books' | 'dataKey'> &
    WatchedConfig,
  database: Database,
  { network = internet, countHandover }: TaskOptions = {},
): PeriodicTask[] {
  const storage = openStorage(config.storage)
  const senders = countHandovers(createSenders(config), countHandover)
  const fetchTasks = config.smsAccount === null ? [] : [fetchTask(fileFetcher(config.smsAccount, network))]
  const checkoutTasks = config.payments === null ? [] : paymentTasks(config.payments)
  const geocodingTasks =
    config.geocoder === null ? [] : [geocodingTask(openGeocoder(config.geocoder, config.processes))]
  const routingTasks = config.router === null ? [] : [routingTask(openRouter(config.router))]
  const pushTasks =
    config.push === null
      ? []
      : pushNotificationTasks({ network, vapid: openVapid(config.push.privateKey, config.baseUrl) })
  const dataKeys = openDataKeys(config.dataKey)
  const books = openBooks({ database, dataKeys, network, baseUrl: config.baseUrl, config: config.books })
  return [
    uploadTask(storage),
    fileRemovalTask(storage),
    companyExportTask(database, storage),
    erasureTask(database, storage),
    retentionTask(config.retention),
    conversationTask(config.assistant.keepDays),
    catalogPictureTask(pictureFetcher(network), storage),
    ...fetchTasks,
    ...geocodingTasks,
    ...routingTasks,
    ...pushTasks,
    ...sendingTasks(senders, readPdf),
    reminderTask(senders),
    noticeTask(senders),
    statementTask(senders),
    weeklyReportTask(senders),
    accountMailTask(senders, accountMailing(config)),
    healthCheckTask(config, accountMailing(config)),
    ...checkoutTasks,
    ...(books.programs.length === 0 ? [] : [booksTask(books, config.baseUrl)]),
  ]
}

function paymentTasks(access: PaymentsAccess): PeriodicTask[] {
  const checkout = openCheckout(access)
  return [checkoutEndTask(checkout), paymentMethodTask({ checkout, saved: openSavedPayments(access) })]
}

/** Returns senders that report the outcome of each handover. */
const countHandovers = ({ email, sms, baseUrl }: Senders, count: TaskOptions['countHandover']): Senders => ({
  email: email && { ...email, send: countingSend(email.send, (end) => count?.('email', end)) },
  sms: sms && { ...sms, send: countingSend(sms.send, (end) => count?.('sms', end)) },
  baseUrl,
})

const countingSend =
  <Message>(send: Sender<Message>, count: (end: string) => void): Sender<Message> =>
  async (message, signal) => {
    const handover = await send(message, signal)
    count(handover.end)
    return handover
  }

/** Reads the current state of an attached document. */
async function readAttached(db: Db, { document, id }: OutgoingAttachment): Promise<PdfDocumentData> {
  if (document === 'receipts') return readReceiptDocument(db, { payment: id })
  if (document !== 'statements') return readPdfDocument(db, { kind: document, id })
  const { customer, statement } = await findSentStatement(db, id)
  return readStatementDocument(db, customer, statement)
}

const readPdf: ReadDocument = async (db, { document, id }) => {
  const documentData = await readAttached(db, { document, id })
  return () => renderPdf(db.tenant, documentData)
}
