import { insertSelected, sql, type Sql } from '../../platform/db/tenant.ts'
import { newId } from '../../platform/validation/id.ts'
import { networkOf } from '../addresses.ts'
import { deviceIn } from './device.ts'

/** Event of an account. An act in a company's name is an `Act` of its audit. */
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

/** Origin of a request: the sender's address from `senderReader`, and the browser's User-Agent. */
export type Origin = { address: string; agent: string | null }

/** Account event. Without an origin it was caused by the operator or the service. */
type AccountEvent = {
  user: string
  kind: AccountEventKind
  origin?: Origin | undefined
  /** Further details, never a secret: `{ methods: ['password', 'totp'] }`. */
  about?: Readonly<Record<string, unknown>>
}

/** Returns the security log row of an event, for the event's own transaction, inserted if `condition` holds. */
export const logAccountEvent = ({ user, kind, origin, about = {} }: AccountEvent, condition: Sql = sql`true`): Sql =>
  insertSelected(sql`
  insert into account_events (id, user_id, kind, network, device, about)
  select ${newId()}::uuid, ${user}::uuid, ${kind}::text, ${origin ? networkOf(origin.address) : null}::text,
    ${origin ? deviceIn(origin.agent) : null}::text,
    ${JSON.stringify(about)}::jsonb where ${condition}`)

/** Does the same unless a similar event from that network was logged within the hour. */
export const logAccountEventOnce = (event: AccountEvent & { origin: Origin }): Sql =>
  logAccountEvent(
    event,
    sql`not exists (select 1 from account_events e where e.user_id = ${event.user} and e.kind = ${event.kind}
      and e.network = ${networkOf(event.origin.address)} and e.at > moment() - interval '1 hour')`,
  )

/** Days that events are kept. */
const RETENTION_DAYS = 365

/** Removes events older than a year. */
export const sweepAccountEvents = (): Sql =>
  sql`delete from account_events where at < moment() - make_interval(days => ${RETENTION_DAYS})`
