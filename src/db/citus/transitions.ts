/** Names what triggers call the rows of one statement. */
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

/**
 * Writes for each row of the statement by itself in a trigger's function: on a cluster a statement that changes a table
 * doesn't find the rows that its trigger was given, and one that inserts values looks nothing up.
 */
export const rowByRow = (body: string): string =>
  body
    .replaceAll(INSERTS, (_, table: string, names: string, rows: string) => inserted(table, names, rows))
    .replaceAll(LOOK_UPS, (_, table: string, names: string, values: string) =>
      inserted(table, names, `select ${values}`),
    )
    .replaceAll(UPDATES, (_, update: string, rows: string, name: string, where: string) =>
      forEach(name, rows, `${update}\n  ${where}`),
    )

const inserted = (table: string, names: string, rows: string): string => {
  const values = names.split(',').map((name) => `row_given.${name.trim()}`)
  return forEach(
    'row_given',
    `select * from (${rows}) given (${names})`,
    `insert into ${table} (${names}) values (${values.join(', ')});`,
  )
}

const forEach = (name: string, rows: string, statement: string): string =>
  `declare ${name} record; begin for ${name} in ${rows} loop\n  ${statement} end loop; end;`
