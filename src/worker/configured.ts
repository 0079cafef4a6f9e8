import { accountMailing } from '../access/security/account_mail.ts'
import { internet, type Network } from '../access/public_request.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/tenant.ts'
import { paperOf } from '../documents/paper_of.ts'
import { pdfFrom } from '../documents/pdf.ts'
import { fileFetcher } from '../files/fetching.ts'
import { openStorage } from '../files/open_storage.ts'
import { sendersOf } from '../outbox/senders/senders.ts'
import { openCheckout } from '../payments/hosted_checkout.ts'
import { accountMail } from './account_mail.ts'
import { checkoutEndings } from './checkout.ts'
import type { Chore } from './chore.ts'
import { companyExports } from './company_export.ts'
import { erasures } from './erasures.ts'
import { fetches } from './fetches.ts'
import { fileRemovals } from './file_removals.ts'
import { notices } from './notices.ts'
import { reminders } from './reminders.ts'
import { retention } from './retention.ts'
import { sending, type ReadDocument } from './sending.ts'
import { uploads } from './uploads.ts'

/** Returns the chores that depend on the configuration. */
export function configuredChores(
  config: Pick<
    Config,
    'storage' | 'retention' | 'smsAccount' | 'smsFrom' | 'mailServer' | 'baseUrl' | 'payments' | 'production'
  >,
  database: Database,
  network: Network = internet,
): Chore[] {
  const storage = openStorage(config.storage)
  const senders = sendersOf(config)
  const fetched = config.smsAccount === null ? [] : [fetches(fileFetcher(config.smsAccount, network))]
  const ended = config.payments === null ? [] : [checkoutEndings(openCheckout(config.payments))]
  return [
    uploads(storage),
    fileRemovals(storage),
    companyExports(database, storage),
    erasures(database, storage),
    retention(config.retention),
    ...fetched,
    ...sending(senders, readPdf),
    reminders(senders),
    notices(senders),
    accountMail(senders, accountMailing(config)),
    ...ended,
  ]
}

const readPdf: ReadDocument = async (db, { document, id }) => {
  const paper = await paperOf(db, { kind: document, id })
  return () => pdfFrom(db.tenant, paper)
}
