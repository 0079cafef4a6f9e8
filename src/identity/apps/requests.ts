import { readTenant, sql, writeTenant, type Database, type Db, type Sql } from '../../platform/db/tenant.ts'
import { conflict, notFound } from '../../platform/errors/refusal.ts'
import { isId } from '../../platform/validation/id.ts'
import { auditChange } from '../audit.ts'
import type { Client } from '../credentials/clients/clients.ts'
import { requireOwner } from '../permissions/rights.ts'
import { notify } from '../security/notices/notices.ts'
import {
  POLICY_LOCK,
  isAllowed,
  selectAppPolicy,
  toPolicyDecision,
  type RequestedScopes,
  type PolicyRow,
} from './app_policy_decision.ts'
import { refusals } from './refusals.ts'

/** Member's request to an owner to allow an app. */
export type AppRequest = RequestedScopes & {
  user_id: string
  client_id: string
  user_name: string
  email: string
  name: string
  kind: 'registered' | 'document'
  /** Host of its metadata document, or else of its redirect URI. */
  host: string
  state: 'waiting' | 'approved' | 'declined'
  asked_at: string
}

/** Maximum pending requests per member. */
const MAX_PENDING = 20

type AppRequestDraft = { app: Pick<Client, 'id' | 'kind' | 'name'>; host: string; requested: RequestedScopes }

/** Saves a member's request for an app and notifies the owners. Throws `conflict` if there is nothing to request. */
export async function requestApp(
  database: Database,
  tenant: string,
  { app, host, requested }: AppRequestDraft,
  user: string,
): Promise<void> {
  await writeTenant(
    database,
    { tenant },
    async (db) => {
      const [row, { count }, owners] = await Promise.all([
        db.maybe<PolicyRow>(selectAppPolicy(db.tenant, app, user, POLICY_LOCK)),
        db.one<{ count: number }>(sql`select count(*)::int as count from app_requests
          where tenant_id = ${db.tenant} and user_id = ${user} and client_id <> ${app.id} and state = 'waiting'`),
        listOtherOwners(db, user),
      ])
      const policyDecision = toPolicyDecision(row)
      if (
        policyDecision.outcome !== 'ask' ||
        policyDecision.request?.state === 'declined' ||
        isAllowed(policyDecision, requested)
      )
        throw conflict(refusals.nothingToAsk())
      if (count >= MAX_PENDING) throw conflict(refusals.tooManyRequests({ count }))
      const { name: person } = await db.one<{ name: string }>(sql`select name from users where id = ${user}`)
      await db.run(sql`
        insert into app_requests (tenant_id, user_id, client_id, name, kind, host, scopes, proposes)
        values (${db.tenant}, ${user}, ${app.id}, ${app.name}, ${app.kind}, ${host}, ${[...requested.scopes]},
          ${[...requested.proposes]})
        on conflict (tenant_id, user_id, client_id) do update set name = excluded.name, host = excluded.host,
          scopes = excluded.scopes,
          proposes = excluded.proposes, state = 'waiting', asked_at = moment_of(excluded.tenant_id), decided_at = null,
          decided_by = null`)
      return { person, owners }
    },
    ({ person, owners }) => [
      auditChange(tenant, { user }, 'grants.ask', user, { client: [null, app.name], scopes: [null, requested.scopes] }),
      ...owners.map((owner) => notify({ user: owner, kind: 'app_asked', about: { name: app.name, person }, tenant })),
    ],
  )
}

/** Returns the owners to notify of what a user did. */
const listOtherOwners = async (db: Db, user: string): Promise<string[]> =>
  (await db.all<{ user_id: string }>(selectOtherOwners(db.tenant, user))).map(({ user_id }) => user_id)

/** Returns the statement that lists a company's owners except the given user; null is the operator. */
export const selectOtherOwners = (tenant: string, user: string | null): Sql<{ user_id: string }> => sql`
  select user_id from members
  where tenant_id = ${tenant} and role = 'owner' and deactivated_at is null and user_id is distinct from ${user}::uuid
  order by user_id`

/** Returns the names of a company's owners, so that a member knows whom to ask. */
export const listOwnerNames = (database: Database, tenant: string): Promise<string[]> =>
  readTenant(database, { tenant }, async (db) =>
    (
      await db.all<{ name: string }>(sql`
        select u.name from members m join users u on u.id = m.user_id
        where m.tenant_id = ${db.tenant} and m.role = 'owner' and m.deactivated_at is null order by u.name, u.id
        limit 10`)
    ).map(({ name }) => name),
  )

/** Lists the requests of active members, pending ones first. */
export const listAppRequests = (db: Db): Promise<AppRequest[]> =>
  db.all<AppRequest>(sql`
    select r.user_id, r.client_id, u.name as user_name, u.email, r.name, r.kind, r.host, r.scopes, r.proposes, r.state,
      r.asked_at
    from app_requests r
    join members m on m.tenant_id = r.tenant_id and m.user_id = r.user_id and m.deactivated_at is null
      join users u on u.id = r.user_id
    where r.tenant_id = ${db.tenant} order by r.state <> 'waiting', r.asked_at desc, r.user_id, r.client_id limit 200`)

/** Approves or declines a member's request, as an owner, and notifies them. Refuses a request that was renewed. */
export async function decideAppRequest(
  database: Database,
  tenant: string,
  { user, client, askedAt }: { user: string; client: string; askedAt: string },
  state: 'approved' | 'declined',
  by: { user: string },
): Promise<void> {
  if (!isId(user)) throw notFound('app')
  await writeTenant(
    database,
    { tenant },
    async (db) => {
      await requireOwner(db, by)
      const request = await db.maybe<{ name: string; scopes: string[]; asked_at: string }>(sql`
        select name, scopes, asked_at from app_requests
        where tenant_id = ${db.tenant} and user_id = ${user} and client_id = ${client} for update`)
      if (request === undefined) throw notFound('app')
      if (request.asked_at !== askedAt) throw conflict(refusals.askedAgain())
      await db.run(sql`update app_requests set state = ${state}, decided_at = moment(), decided_by = ${by.user}
        where tenant_id = ${db.tenant} and user_id = ${user} and client_id = ${client}`)
      return request
    },
    ({ name, scopes }) => [
      auditChange(tenant, by, state === 'approved' ? 'grants.permit' : 'grants.decline', user, {
        client: [null, name],
        scopes: [null, scopes],
      }),
      notify({ user, kind: state === 'approved' ? 'app_approved' : 'app_declined', about: { name }, tenant }),
    ],
  )
}

/** Returns the statement that deletes a member's requests, for one app or all. */
export const deleteAppRequests = (tenant: string, user: string, client: string | null = null): Sql => sql`
  delete from app_requests
  where tenant_id = ${tenant} and user_id = ${user} and (${client}::text is null or client_id = ${client})`
