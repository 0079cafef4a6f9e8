import { sql, type Sql } from '../../db/tenant.ts'
import { withoutFactors } from '../factors/factors.ts'
import { noted } from '../security/account_events.ts'
import { endAccountLinksOf } from '../security/account_links.ts'
import { forgetBrowsersOf } from '../sign_in/known_browsers.ts'
import { endSessionsOf } from '../sign_in/sessions.ts'

/**
 * Returns the statements that end every way into an account that was made before its person came: sessions, known
 * browsers, passkeys and other factors, links, accounts at providers. Its password is replaced, its keys and apps are ended, beside them.
 */
export const waysInEnded = (user: string): Sql[] => [
  ...endSessionsOf(user),
  forgetBrowsersOf(user),
  endAccountLinksOf(user),
  ...withoutFactors(user),
  sql`delete from identities where user_id = ${user}`,
  noted({ user, kind: 'account_started_over' }),
]
