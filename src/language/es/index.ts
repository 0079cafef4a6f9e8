import { calls } from './calls.ts'
import { conversations } from './conversations.ts'
import { documents } from './documents.ts'
import { imports } from './imports.ts'
import { links } from './links.ts'
import { money } from './money.ts'
import { outbox } from './outbox.ts'
import { records } from './records.ts'
import { sending } from './sending.ts'
import { settings } from './settings.ts'
import { shared } from './shared.ts'
import { shell } from './shell.ts'
import { sign_in } from './sign_in.ts'
import { consent } from './consent.ts'
import { held } from './held.ts'
import { merging } from './merging.ts'
import type { Texts } from '../texts.ts'

/** Holds every text of the interface in Spanish. */
export const spanish: Texts = {
  ...calls,
  ...conversations,
  ...documents,
  ...imports,
  ...links,
  ...money,
  ...outbox,
  ...records,
  ...sending,
  ...settings,
  ...shared,
  ...shell,
  ...sign_in,
  ...consent,
  ...held,
  ...merging,
}
