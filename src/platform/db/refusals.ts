import { DatabaseError } from 'pg'
import { Refusal, notFound, type Code, type RefusalRule } from '../errors/refusal.ts'
import { defineRefusals, definedRefusals, type RefusalTexts } from '../errors/refusal_text.ts'
import { constraintOfShard } from './citus/broken_constraint.ts'
import { sql, type Database } from './database.ts'

const byConstraint = new Map<string, () => Refusal>()

/**
 * Reads the refusals of constraints and indexes, once at start. They are comments in the `.sql` files: `comment on
 * index tags_name is 'conflict: name is another tag''s; …'`. A sentence that begins with a column's name is about that
 * field. These texts are for agents; those for people are declared with `explainConstraints`.
 */
export async function readRefusals(database: Database): Promise<void> {
  const [answer] = await database.send([
    sql`
    select coalesce(c.conname, i.relname) as name, said.code, coalesce(a.attname, '') as path,
      split_part(said.sentence, ' not found', 1) as absent,
      case when a.attname is null then said.sentence else substr(said.sentence, length(a.attname) + 2) end as rule
    from pg_description d
    left join pg_constraint c on d.classoid = 'pg_constraint'::regclass and c.oid = d.objoid
    left join pg_class i on d.classoid = 'pg_class'::regclass and i.oid = d.objoid and i.relkind = 'i'
    left join pg_index x on x.indexrelid = i.oid
    cross join lateral (select split_part(d.description, ': ', 1) as code,
      substr(d.description, strpos(d.description, ': ') + 2) as sentence) said
    left join pg_attribute a on a.attrelid = coalesce(c.conrelid, x.indrelid)
      and a.attname = split_part(said.sentence, ' ', 1)
    where d.description ~ '^(conflict|invalid_input|not_found): '`,
  ])
  for (const { name, code, path, rule, absent } of answer.rows as {
    name: string
    code: Code
    path: string
    rule: string
    absent: string
  }[]) {
    byConstraint.set(name, () =>
      code === 'not_found' ? notFound(absent) : new Refusal(code, [{ path, rule: ruleOf(name, rule) }]),
    )
  }
}

/** Declares the texts for people of refusals by constraints and indexes, by their names. */
export function explainConstraints(texts: Readonly<Record<string, Omit<RefusalTexts, 'agent'>>>): void {
  defineRefusals(
    CONSTRAINTS,
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, { agent: '{rule}', ...text }])),
  )
}

const CONSTRAINTS = 'constraints'

function ruleOf(constraint: string, rule: string): RefusalRule {
  const key = `${CONSTRAINTS}.${constraint}`
  const texts = definedRefusals.get(key)
  return texts === undefined ? rule : { key, texts, values: { rule } }
}

/** Returns the refusal for a database error that violates a constraint with a comment. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof DatabaseError)) return undefined
  const name = error.constraint ?? constraintOfShard(error)
  return name === undefined ? undefined : byConstraint.get(name)?.()
}
