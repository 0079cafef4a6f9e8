import { activity } from './activity.ts'
import { assistant } from './assistant.ts'
import { accounts } from './identity/accounts.ts'
import { books } from './accounting/books.ts'
import { books_sync } from './accounting/books_sync.ts'
import { imports } from './imports.ts'
import { booking } from './booking.ts'
import { calls } from './calls.ts'
import { company } from './company.ts'
import { company_provider } from './identity/company_provider.ts'
import { conversations } from './messaging/conversations.ts'
import { directory } from './records/directory.ts'
import { factors } from './identity/factors.ts'
import { documents } from './records/documents.ts'
import { options } from './records/options.ts'
import { forms } from './forms.ts'
import { field_page } from './mobile/field_page.ts'
import { leaving } from './leaving.ts'
import { links } from './links.ts'
import { money } from './accounting/money.ts'
import { saved_payments } from './accounting/saved_payments.ts'
import { proposals } from './proposals.ts'
import { outbox } from './messaging/outbox.ts'
import { providers } from './identity/providers.ts'
import { records } from './records/records.ts'
import { security } from './identity/security.ts'
import { sending } from './messaging/sending.ts'
import { settings } from './settings.ts'
import { setup } from './identity/setup.ts'
import { shared } from './shared.ts'
import { shell } from './shell.ts'
import { sign_in } from './identity/sign_in.ts'
import { consent } from './identity/consent.ts'
import { planning } from './schedule/planning.ts'
import { doorstep } from './mobile/doorstep.ts'
import { profit } from './accounting/profit.ts'
import { statements } from './accounting/statements.ts'
import { notifications } from './mobile/notifications.ts'
import { phone_more } from './mobile/phone_more.ts'
import { field } from './mobile/field.ts'
import { field_records } from './mobile/field_records.ts'
import { checks } from './operation/checks.ts'
import { health } from './operation/health.ts'
import { quarantine } from './messaging/quarantine.ts'
import { merging } from './records/merging.ts'
import { reading } from './reading.ts'
import { starter } from './records/starter.ts'
import { prices } from './records/prices.ts'
import { stages } from './records/stages.ts'
import { several_visits } from './records/several_visits.ts'
import { trade } from './trade.ts'
import type { Texts } from '../texts.ts'

/** All Spanish texts of the interface. */
export const spanish: Texts = {
  ...activity,
  ...accounts,
  ...books,
  ...books_sync,
  ...booking,
  ...calls,
  ...company,
  ...company_provider,
  ...imports,
  ...conversations,
  ...directory,
  ...documents,
  ...options,
  ...field_page,
  ...forms,
  ...factors,
  ...leaving,
  ...links,
  ...money,
  ...saved_payments,
  ...outbox,
  ...providers,
  ...records,
  ...security,
  ...sending,
  ...settings,
  ...setup,
  ...shared,
  ...shell,
  ...sign_in,
  ...consent,
  ...field,
  ...doorstep,
  ...profit,
  ...statements,
  ...notifications,
  ...phone_more,
  ...planning,
  ...field_records,
  ...checks,
  ...health,
  ...quarantine,
  ...merging,
  ...proposals,
  ...assistant,
  ...reading,
  ...starter,
  ...prices,
  ...stages,
  ...several_visits,
  ...trade,
}
