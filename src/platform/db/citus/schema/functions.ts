import type { Client } from 'pg'
import { rewriteRowByRow } from './transitions.ts'

/** Function, as in the PostgreSQL catalog. */
export type SqlFunction = {
  name: string
  language: 'sql' | 'plpgsql'
  /** Its `create function` statement, from `pg_get_functiondef`. */
  definition: string
  /** Source text. Null if the body was parsed at creation (`return …`); such a body reads no table. */
  body: string | null
  returns: string
  isSet: boolean
  /** Names of its OUT parameters. */
  outs: readonly string[]
}

/** Recreates every function on all machines, adapted to the cluster if needed. */
export async function adaptFunctions(client: Client): Promise<void> {
  const tables = (await client.query<{ name: string }>(TABLES)).rows.map(({ name }) => name)
  const { rows } = await client.query<SqlFunction & { row: string | null }>(FUNCTIONS)
  const rowTypes = new Map(rows.flatMap(({ name, row }) => (row === null ? [] : [[name, row]])))
  for (const one of rows) await client.query(toClusterFunction(one, tables, rowTypes))
  for (const statement of CLOCK_FUNCTIONS) await client.query(statement)
}

const TABLES = `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`

const FUNCTIONS = `
  select p.proname as name, l.lanname as language, pg_get_functiondef(p.oid) as definition,
    case when p.prosqlbody is null then p.prosrc end as body, pg_get_function_result(p.oid) as returns,
    p.proretset as "isSet",
    array(select n from unnest(p.proargnames, p.proargmodes) a (n, mode) where mode = 'o') as outs,
    (select relname from pg_class where reltype = p.proargtypes[0] and p.pronargs = 1) as row
  from pg_proc p join pg_language l on l.oid = p.prolang
  where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and l.lanname in ('sql', 'plpgsql')
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    and p.proname not in ('later_than', 'later_by', 'moment', 'moment_of')
  order by p.oid`

/**
 * Time functions in the form that a cluster accepts: it refuses volatile functions in an update, and requires functions
 * of a column to be immutable. A call with a column can't be evaluated in advance, so the time and the ids of line
 * items still depend on the row.
 */
const CLOCK_FUNCTIONS = [
  `create or replace function moment() returns timestamptz language plpgsql stable as $$
    begin return date_trunc('milliseconds', clock_timestamp()); end $$`,
  `create or replace function moment_of(tenant uuid) returns timestamptz language plpgsql immutable as $$
    begin return date_trunc('milliseconds', clock_timestamp()); end $$`,
  `create or replace function later_than(before timestamptz) returns timestamptz language plpgsql immutable as $$
    begin return greatest(date_trunc('milliseconds', clock_timestamp()), before + interval '1 millisecond'); end $$`,
  `create or replace function later_by(at timestamptz, length interval) returns timestamptz
    language plpgsql immutable as $$
    begin return at + length; end $$`,
  'alter function own_lines(jsonb) immutable',
]

/**
 * Returns the statement that creates a function in a cluster, mostly unchanged. `rowTypes` maps functions that take a
 * row to the row's table.
 */
export function toClusterFunction(
  one: SqlFunction,
  tables: readonly string[],
  rowTypes: ReadonlyMap<string, string> = NONE,
): string {
  const { name, language, definition, body, returns } = one
  if (body === null) return definition
  const [head, tail] = splitAround(definition, body)
  if (DISABLED_TRIGGERS.has(name)) return `${head}begin return null; end${tail}`
  if (language === 'plpgsql') return head + toClusterBody(name, body, returns === 'trigger' ? rowTypes : NONE) + tail
  if (!readsTable(body, tables)) return definition
  return head.replace(/\bLANGUAGE sql\b/, 'LANGUAGE plpgsql') + toPlpgsql(one, castRows(body, rowTypes)) + tail
}

/**
 * Triggers disabled in a cluster: their write to a reference table and their transaction's writes to other tables would
 * deadlock. The statements that change the trigger's table do the same work.
 */
const DISABLED_TRIGGERS: ReadonlySet<string> = new Set(['end_member_grants'])

function splitAround(definition: string, body: string): [head: string, tail: string] {
  const at = definition.lastIndexOf(body)
  return [definition.slice(0, at), definition.slice(at + body.length)]
}

const readsTable = (body: string, tables: readonly string[]): boolean =>
  [...body.matchAll(/\b(?:from|join|into|update)\s+([a-z_]+)/g)].some(([, name = '']) => tables.includes(name))

/**
 * Adapts a function body to a cluster. Only `set local` reaches other machines. A trigger runs on a shard, whose name
 * ends in a number and whose row type differs from the table's. A writing transaction names its change before it
 * reaches any other machine, so that all of them record it.
 */
function toClusterBody(name: string, body: string, rowTypes: ReadonlyMap<string, string>): string {
  const text = castRows(rewriteRowByRow(body), rowTypes)
    .replaceAll(
      /perform set_config\('(app\.[a-z_]+)', (.+), true\);/g,
      (_, setting: string, value: string) => `execute format('set local ${setting} = %L', ${value});`,
    )
    .replaceAll(/(?<!regexp_replace\()tg_table_name/g, () => TABLE_OF_SHARD)
    .replaceAll(/\bcase (tg_op|(?:new|old)\.[a-z_]+) when ('[A-Za-z_]+') then/g, 'case when $1 = $2 then')
  return name === 'enter_to_write' && !text.includes(NAME_CHANGE)
    ? text.replace(/\nend *$/, `\n  ${NAME_CHANGE}\nend `)
    : text
}

/** Converts a shard's row to the table's row type, in calls of functions that take a row. */
const castRows = (text: string, rowTypes: ReadonlyMap<string, string>): string =>
  text.replaceAll(/\b([a-z_]+)\(([a-z]+)\)/g, (call, called: string, row: string) =>
    rowTypes.has(called) ? `${called}(jsonb_populate_record(null::${rowTypes.get(called)}, to_jsonb(${row})))` : call,
  )

const NONE: ReadonlyMap<string, string> = new Map()
const TABLE_OF_SHARD = `regexp_replace(tg_table_name, '_[0-9]+$', '')`
const NAME_CHANGE = 'perform this_change();'

/** Matches the tenant condition in a function that bypasses the policies. */
const TENANT_CONDITION =
  /\b([a-z_]+\.)?tenant_id(?:::text = current_setting\('app\.tenant_id', true\)| = nullif\(current_setting\('app\.tenant_id', true\), ''\)::uuid)/g

/** Rewrites the body of an SQL function in PL/pgSQL, where a variable determines which machine is queried. */
function toPlpgsql({ returns, isSet, outs }: SqlFunction, body: string): string {
  const text = body.replaceAll(TENANT_CONDITION, '$1tenant_id = here_only')
  const [declaration, steps] = isSet
    ? ['', `return query ${text};`]
    : returns === 'void'
      ? ['', `${text};`]
      : outs.length > 0
        ? ['', `select * into ${outs.join(', ')} from (${text}) answered;`]
        : /^\s*select\b/.test(text)
          ? ['', `return (${text});`]
          : [`\n  answer ${returns};`, `${text} into answer; return answer;`]
  return `\n#variable_conflict use_column\ndeclare\n  here_only uuid := entered();${declaration}\nbegin\n  ${steps}\nend `
}
