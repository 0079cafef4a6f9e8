import type { Client } from 'pg'
import { stagedName } from './staging.ts'

/** Says how the people of a file are known here: under which other ids, and how many accounts were made. */
export type Matched = { ids: Map<string, string>; made: number; known: number }

type Person = { id: string; email: string; known_as: string | null; is_sure: boolean; other: string | null }

/**
 * Finds the accounts of a company's people by their addresses, and makes those that are missing, without a password
 * (docs/spec/tenant_file.md#people). Refuses an account that is another company's own, and an id that is somebody else's.
 */
export async function matchPeople(client: Client, tenant: string): Promise<Matched> {
  const staged = stagedName('users')
  const { rows: people } = await client.query<Person>(
    `select s.id, s.email, u.id as known_as, o.email as other,
      u.proved_at is not null or u.vouched_at is not null or u.made_through is null or u.made_through = $1 as is_sure
    from ${staged} s left join users u on u.email = s.email left join users o on o.id = s.id and o.email <> s.email
    order by s.email`,
    [tenant],
  )
  for (const person of people) requireOwn(person)
  const ids = people.flatMap(({ id, known_as: known }) =>
    known === null || known === id ? [] : [[id, known] as const],
  )
  const { rowCount: made } = await client.query(
    `insert into users (id, email, name, created_at, language, uses_keys, made_through)
    select s.id, s.email, s.name, s.created_at, s.language, s.uses_keys, $1 from ${staged} s
    where not exists (select from users u where u.email = s.email)`,
    [tenant],
  )
  return { ids: new Map(ids), made: made ?? 0, known: people.length - (made ?? 0) }
}

function requireOwn({ email, known_as, is_sure: isSure, id, other }: Person): void {
  if (known_as !== null && !isSure)
    throw new Error(
      `${email} has an account here that another company made and whose address nobody proved; let its holder prove it, or give it a password with callout member password`,
    )
  if (known_as === null && other !== null)
    throw new Error(
      `the id of ${email} (${id}) is that of ${other} here; one of the two addresses must be changed to the other`,
    )
}
