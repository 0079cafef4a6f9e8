const COMMENT = String.raw`--[^\n]*|/\*[^]*?\*/`
const QUOTED = String.raw`'(?:[^']|'')*'|"(?:[^"]|"")*"|\$([a-z_]*)\$[^]*?\$\1\$`
const MARKS = new RegExp(`${COMMENT}|${QUOTED}|[(),;]`, 'gi')
const SPACES = new RegExp(String.raw`((?:\s|${COMMENT})+)|${QUOTED.replace('\\1', '\\2')}`, 'gi')

/** Returns the statements of a migration in order, without their semicolons and without empty ones. */
export const statementsIn = (text: string): string[] =>
  splitAtMark(text, ';').filter((one) => withoutComments(one) !== '')

/** Returns a statement without its comments, on one line. */
export const withoutComments = (statement: string): string =>
  statement.replaceAll(SPACES, (part, space?: string) => (space === undefined ? part : ' ')).trim()

/**
 * Splits an `alter table` into statements that a cluster accepts: one per action, and the constraints of a new column
 * separately, under the names that PostgreSQL would generate.
 */
export function alterationsOf(statement: string): string[] {
  const plain = withoutComments(statement)
  const [head, table = ''] = /^alter table (?:only )?([a-z_]+) /i.exec(plain) ?? []
  if (head === undefined) return [statement]
  return splitAtMark(plain.slice(head.length), ',')
    .flatMap((part) => columnOf(part.trim(), table))
    .map((part) => head + part)
}

const ACTION = 'on (?:delete|update) (?:cascade|restrict|set null|no action)'
/** Matches the definition after a column's name: its type and default, then its check and foreign key, if any. */
const COLUMN = new RegExp(
  String.raw`^(.*?)(?: (check \(.*\)))?(?: (references [a-z_]+(?: ?\([^)]*\))?(?: ${ACTION})*))?$`,
  'is',
)

function columnOf(part: string, table: string): string[] {
  const [, column, rest = ''] =
    /^add (?:column )?(?!constraint\b|foreign\b|check\b|unique\b|primary\b)([a-z_]+) (.*)$/is.exec(part) ?? []
  if (column === undefined) return [part]
  const [, before, check, references] = COLUMN.exec(rest) ?? []
  return [
    `add column ${column} ${before}`,
    ...(check === undefined ? [] : [`add constraint ${table}_${column}_check ${check}`]),
    ...(references === undefined
      ? []
      : [`add constraint ${table}_${column}_fkey foreign key (${column}) ${references}`]),
  ]
}

/** Splits a text at every mark outside parentheses, quotes and comments. */
function splitAtMark(text: string, mark: ';' | ','): string[] {
  const parts: string[] = []
  let [from, depth] = [0, 0]
  for (const { 0: part, index } of text.matchAll(MARKS)) {
    if (part === '(') depth++
    else if (part === ')') depth--
    else if (part === mark && depth === 0) {
      parts.push(text.slice(from, index))
      from = index + 1
    }
  }
  return [...parts, text.slice(from)]
}
