import type { Client } from 'pg'
import { hashOf } from '../../identity/credentials/secret_hash.ts'
import { INVITATION_DAYS, newInvitationSecret } from '../../identity/people/invitations/invitations.ts'
import { newId } from '../../platform/validation/id.ts'
import { stagingTable } from './staging.ts'

/**
 * People of a file matched to accounts here: their ids here by their ids in the file, the number of accounts created,
 * and the ids of existing accounts.
 */
export type MatchedPeople = { ids: Map<string, string>; made: number; existing: string[] }

/** Invitation of a person whose account existed before the import. `secret` is part of its link and is shown once. */
export type ImportInvitation = { email: string; secret: string }

type Person = { id: string; email: string; known_as: string | null; is_sure: boolean; other: string | null }

/**
 * Matches a company's people to accounts here by email address, and creates missing accounts, without a password and
 * unclaimed. The imported company gives them their first sign-in (docs/spec/tenant_file.md#people). Throws for an
 * unproved account that another company made, and for an id that belongs to someone else.
 */
export async function matchPeople(client: Client, tenant: string): Promise<MatchedPeople> {
  const staged = stagingTable('users')
  const { rows: people } = await client.query<Person>(
    `select s.id, s.email, u.id as known_as, o.email as other,
      u.proved_at is not null or u.vouched_at is not null or u.made_through is null or u.made_through = $1 as is_sure
    from ${staged} s left join users u on u.email = s.email left join users o on o.id = s.id and o.email <> s.email
    order by s.email`,
    [tenant],
  )
  for (const person of people) requireOwnAccount(person)
  const ids = people.flatMap(({ id, known_as: existing }) =>
    existing === null || existing === id ? [] : [[id, existing] as const],
  )
  const { rowCount: count } = await client.query(
    `insert into users (id, email, name, created_at, language, uses_keys, made_through, unclaimed_since)
    select s.id, s.email, s.name, s.created_at, s.language, s.uses_keys, $1, moment() from ${staged} s
    where not exists (select 1 from users u where u.email = s.email)`,
    [tenant],
  )
  return { ids: new Map(ids), made: count ?? 0, existing: people.flatMap(({ known_as: existing }) => existing ?? []) }
}

/**
 * Invites members whose accounts existed before the import, because nobody joins a company without accepting. Keeps
 * their rows, deactivated.
 */
export async function inviteExisting(
  client: Client,
  tenant: string,
  existing: readonly string[],
): Promise<ImportInvitation[]> {
  const { rows: invited } = await client.query<{ email: string; name: string; role: string; ceiling: object }>(
    `with paused as (
      update members set deactivated_at = moment() where tenant_id = $1 and user_id = any($2) and deactivated_at is null
      returning user_id, role, ceiling)
    select u.email, u.name, p.role, p.ceiling from paused p join users u on u.id = p.user_id order by u.email`,
    [tenant, existing],
  )
  const invitations: ImportInvitation[] = []
  for (const { email, name, role, ceiling } of invited) {
    const [id, secret] = [newId(), newInvitationSecret()]
    await client.query(
      `insert into invitations (tenant_id, id, email, name, role, ceiling, expires_at)
      values ($1, $2, $3, $4, $5, $6, moment() + make_interval(days => $7))`,
      [tenant, id, email, name, role, ceiling, INVITATION_DAYS],
    )
    await client.query('insert into invitation_hashes (hash, tenant_id, invitation_id) values ($1, $2, $3)', [
      hashOf(secret),
      tenant,
      id,
    ])
    invitations.push({ email, secret })
  }
  return invitations
}

function requireOwnAccount({ email, known_as, is_sure: isSure, id, other }: Person): void {
  if (known_as !== null && !isSure)
    throw new Error(
      `${email} has an account here that another company made, with an unverified address; ` +
        `have its holder verify it, or set a password with callout member password`,
    )
  if (known_as === null && other !== null)
    throw new Error(
      `the id of ${email} (${id}) belongs to ${other} here; change one of the two addresses to match the other`,
    )
}
