/** Names of a trigger's transition tables. */
const TRANSITION = 'come|gone|counted'

const INSERTS = new RegExp(
  String.raw`insert into ([a-z_]+) \(([^)]*)\)\s+(select [^;]*?\bfrom (?:${TRANSITION}) [^;]*);`,
  'g',
)
const UPDATES = new RegExp(
  String.raw`(update [^;]*?)\s+from \((select [^;]*?\bfrom (?:${TRANSITION}) [^;]*?)\) ([a-z]+)\s+(where [^;]*;)`,
  'g',
)

const LOOK_UPS = /insert into ([a-z_]+) \(([^)]*)\)\s+values \(([^;]*\(select [^;]*)\);/g

/** Matches an update that computes a value with a `case` whose condition looks something up in another table. */
const CASE_UPDATES =
  /update ([a-z_]+) ([a-z])\s+set ([a-z_]+) = ([^;]*\bcase when [^;]*\(\s*select [^;]*?)\s+(where \2\.tenant_id = new\.tenant_id[^;]*);/g

/** Primary keys of the tables that such updates change. */
const KEYS: Readonly<Record<string, readonly string[]>> = { search_entries: ['tenant_id', 'kind', 'id'] }

/**
 * Rewrites the statements of a trigger function to run row by row. On a cluster, a statement that changes a table can't
 * read transition tables, `insert … values` can't run a lookup, and an update can't run one within a condition.
 */
export const rewriteRowByRow = (body: string): string =>
  body
    .replaceAll(INSERTS, (_, table: string, names: string, rows: string) => insertForEach(table, names, rows))
    .replaceAll(LOOK_UPS, (_, table: string, names: string, values: string) =>
      insertForEach(table, names, `select ${values}`),
    )
    .replaceAll(CASE_UPDATES, (match, table: string, name: string, column: string, value: string, where: string) =>
      KEYS[table] === undefined ? match : updateForEach(KEYS[table], { table, name, column, value, where }),
    )
    .replaceAll(UPDATES, (_, update: string, rows: string, name: string, where: string) =>
      forEach(name, rows, `${update}\n  ${where}`),
    )

const insertForEach = (table: string, names: string, rows: string): string => {
  const values = names.split(',').map((name) => `row_given.${name.trim()}`)
  return forEach(
    'row_given',
    `select * from (${rows}) given (${names})`,
    `insert into ${table} (${names}) values (${values.join(', ')});`,
  )
}

type UpdateParts = { table: string; name: string; column: string; value: string; where: string }

const updateForEach = (keys: readonly string[], { table, name, column, value, where }: UpdateParts): string =>
  forEach(
    'row_given',
    `select ${keys.map((key) => `${name}.${key}`).join(', ')}, ${addTenantCondition(value)} as weighed ` +
      `from ${table} ${name}\n  ${where} for update`,
    `update ${table} ${name} set ${column} = row_given.weighed ` +
      `where ${keys.map((key) => `${name}.${key} = row_given.${key}`).join(' and ')};`,
  )

/** Adds the tenant's own condition to a lookup by row, because the cluster can't derive it from the row. */
const addTenantCondition = (value: string): string =>
  value.replaceAll(/\b([a-z]+)\.tenant_id = [a-z]+\.tenant_id\b/g, '$& and $1.tenant_id = new.tenant_id')

const forEach = (name: string, rows: string, statement: string): string =>
  `declare ${name} record; begin for ${name} in ${rows} loop\n  ${statement} end loop; end;`
