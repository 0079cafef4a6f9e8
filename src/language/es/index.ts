import { activity } from './activity.ts'
import { accounts } from './accounts.ts'
import { books } from './books.ts'
import { coming } from './coming.ts'
import { calls } from './calls.ts'
import { company } from './company.ts'
import { company_provider } from './company_provider.ts'
import { conversations } from './conversations.ts'
import { directory } from './directory.ts'
import { factors } from './factors.ts'
import { documents } from './documents.ts'
import { field_page } from './field_page.ts'
import { leaving } from './leaving.ts'
import { links } from './links.ts'
import { money } from './money.ts'
import { proposals } from './proposals.ts'
import { outbox } from './outbox.ts'
import { providers } from './providers.ts'
import { records } from './records.ts'
import { security } from './security.ts'
import { sending } from './sending.ts'
import { settings } from './settings.ts'
import { shared } from './shared.ts'
import { shell } from './shell.ts'
import { sign_in } from './sign_in.ts'
import { consent } from './consent.ts'
import { phone_more } from './phone_more.ts'
import { field } from './field.ts'
import { field_records } from './field_records.ts'
import { held } from './held.ts'
import { merging } from './merging.ts'
import { reading } from './reading.ts'
import { trade } from './trade.ts'
import type { Texts } from '../texts.ts'

/** Holds every text of the interface in Spanish. */
export const spanish: Texts = {
  ...activity,
  ...accounts,
  ...books,
  ...calls,
  ...company,
  ...company_provider,
  ...coming,
  ...conversations,
  ...directory,
  ...documents,
  ...field_page,
  ...factors,
  ...leaving,
  ...links,
  ...money,
  ...outbox,
  ...providers,
  ...records,
  ...security,
  ...sending,
  ...settings,
  ...shared,
  ...shell,
  ...sign_in,
  ...consent,
  ...field,
  ...phone_more,
  ...field_records,
  ...held,
  ...merging,
  ...proposals,
  ...reading,
  ...trade,
}
