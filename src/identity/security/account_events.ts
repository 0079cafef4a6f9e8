import { insertSelected, sql, type Sql } from '../../platform/db/tenant.ts'
import { newId } from '../../platform/validation/id.ts'
import { networkOf } from '../addresses.ts'
import { deviceIn } from './device.ts'

/** Names what happens to an account. What is done in a company's name is an `Act` of its audit. */
export type AccountEventKind =
  | 'signed_in'
  | 'sign_in_failed'
  | 'sign_in_limited'
  | 'confirmed'
  | 'session_ended'
  | 'sessions_ended'
  | 'password_changed'
  | 'password_reset'
  | 'reset_asked'
  | 'address_proved'
  | 'address_changed'
  | 'account_started_over'
  | 'passkey_added'
  | 'passkey_removed'
  | 'totp_added'
  | 'totp_removed'
  | 'recovery_codes_made'
  | 'recovery_code_used'
  | 'second_factor_failed'
  | 'factors_reset'
  | 'provider_linked'
  | 'provider_unlinked'
  | 'company_provider_linked'

/** Origin of a request: the sender's address as `senders` reads it, and the browser's User-Agent. */
export type Origin = { address: string; agent: string | null }

/** Describes an event; without an origin it was the operator's or the service's. */
type AccountEvent = {
  user: string
  kind: AccountEventKind
  origin?: Origin | undefined
  /** Holds what else there is to know, never a secret: `{ methods: ['password', 'totp'] }`. */
  about?: Readonly<Record<string, unknown>>
}

/** Returns the row of an event in the security log, to be written with what it tells of, where that is so. */
export const logAccountEvent = ({ user, kind, origin, about = {} }: AccountEvent, isSo: Sql = sql`true`): Sql =>
  insertSelected(sql`
  insert into account_events (id, user_id, kind, network, device, about)
  select ${newId()}::uuid, ${user}::uuid, ${kind}::text, ${origin ? networkOf(origin.address) : null}::text,
    ${origin ? deviceIn(origin.agent) : null}::text,
    ${JSON.stringify(about)}::jsonb where ${isSo}`)

/** Does the same unless the like was noted of that network within the hour. */
export const logAccountEventOnce = (event: AccountEvent & { origin: Origin }): Sql =>
  logAccountEvent(
    event,
    sql`not exists (select 1 from account_events e where e.user_id = ${event.user} and e.kind = ${event.kind}
      and e.network = ${networkOf(event.origin.address)} and e.at > moment() - interval '1 hour')`,
  )

/** In days. */
const KEPT_DAYS = 365

/** Removes events of more than a year ago. */
export const sweepAccountEvents = (): Sql =>
  sql`delete from account_events where at < moment() - make_interval(days => ${KEPT_DAYS})`
