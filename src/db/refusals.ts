import { DatabaseError } from 'pg'
import { Refusal, type Code } from '../refusal.ts'
import { sql, type Database } from './database.ts'

const byConstraint = new Map<string, Refusal>()

/**
 * A constraint or index that can refuse a caller's data says how in its comment, in the `.sql` file where
 * it is made: `comment on index tags_name is 'conflict: name is another tag''s; …'`. Read once at start.
 */
export async function readRefusals(database: Database): Promise<void> {
  const [answer] = await database.send([sql`
    select coalesce(c.conname, i.relname) as name, d.description as says
    from pg_description d
    left join pg_constraint c on d.classoid = 'pg_constraint'::regclass and c.oid = d.objoid
    left join pg_class i on d.classoid = 'pg_class'::regclass and i.oid = d.objoid and i.relkind = 'i'
    where d.description ~ '^(conflict|invalid_input|not_found): '`])
  for (const { name, says } of answer!.rows as { name: string; says: string }[]) {
    const colon = says.indexOf(': ')
    byConstraint.set(name, new Refusal(says.slice(0, colon) as Code, says.slice(colon + 2)))
  }
}

/** Returns the refusal that a database error stands for, if a constraint with a comment was broken. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof DatabaseError) || error.constraint === undefined) return undefined
  const known = byConstraint.get(error.constraint)
  return known && new Refusal(known.code, known.message)
}
