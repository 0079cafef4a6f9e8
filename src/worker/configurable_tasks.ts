import { accountMailing } from '../identity/security/notices/account_mail.ts'
import { internet, type Network } from '../identity/public_request.ts'
import type { Config } from '../platform/config/config.ts'
import type { Database } from '../platform/db/tenant.ts'
import { readPdfDocument } from '../pdf/read_document.ts'
import { renderPdf } from '../pdf/pdf.ts'
import { fileFetcher } from '../files/fetching.ts'
import { openStorage } from '../platform/storage/open_storage.ts'
import { createSenders } from '../messaging/outbox/senders/senders.ts'
import { openCheckout } from '../payments/hosted_checkout.ts'
import { accountMail } from './tasks/account_mail.ts'
import { checkoutEndings } from './tasks/checkout.ts'
import type { PeriodicTask } from './periodic_task.ts'
import { conversations } from './tasks/conversations.ts'
import { companyExports } from './tasks/company_export.ts'
import { erasures } from './tasks/erasures.ts'
import { fetches } from './tasks/fetches.ts'
import { fileRemovals } from './tasks/file_removals.ts'
import { notices } from './tasks/notices.ts'
import { reminders } from './tasks/reminders.ts'
import { retention } from './tasks/retention.ts'
import { sending, type ReadDocument } from './tasks/sending.ts'
import { uploads } from './tasks/uploads.ts'

/** Returns the chores that depend on the configuration. */
export function configurableTasks(
  config: Pick<
    Config,
    | 'assistant'
    | 'storage'
    | 'retention'
    | 'smsAccount'
    | 'smsFrom'
    | 'mailServer'
    | 'baseUrl'
    | 'payments'
    | 'production'
  >,
  database: Database,
  network: Network = internet,
): PeriodicTask[] {
  const storage = openStorage(config.storage)
  const senders = createSenders(config)
  const fetched = config.smsAccount === null ? [] : [fetches(fileFetcher(config.smsAccount, network))]
  const ended = config.payments === null ? [] : [checkoutEndings(openCheckout(config.payments))]
  return [
    uploads(storage),
    fileRemovals(storage),
    companyExports(database, storage),
    erasures(database, storage),
    retention(config.retention),
    conversations(config.assistant.keepDays),
    ...fetched,
    ...sending(senders, readPdf),
    reminders(senders),
    notices(senders),
    accountMail(senders, accountMailing(config)),
    ...ended,
  ]
}

const readPdf: ReadDocument = async (db, { document, id }) => {
  const paper = await readPdfDocument(db, { kind: document, id })
  return () => renderPdf(db.tenant, paper)
}
