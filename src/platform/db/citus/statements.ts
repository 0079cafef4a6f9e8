const COMMENT = String.raw`--[^\n]*|/\*[^]*?\*/`
const QUOTED = String.raw`'(?:[^']|'')*'|"(?:[^"]|"")*"|\$([a-z_]*)\$[^]*?\$\1\$`
const MARKS = new RegExp(`${COMMENT}|${QUOTED}|[(),;]`, 'gi')
const SPACES = new RegExp(String.raw`((?:\s|${COMMENT})+)|${QUOTED.replace('\\1', '\\2')}`, 'gi')

/** Returns the statements of a migration in their order, without their ends; those that say nothing are left out. */
export const statementsIn = (text: string): string[] =>
  splitAtMark(text, ';').filter((one) => withoutComments(one) !== '')

/** Returns a statement without its comments, in one line. */
export const withoutComments = (statement: string): string =>
  statement.replaceAll(SPACES, (part, space?: string) => (space === undefined ? part : ' ')).trim()

/**
 * Returns what a cluster takes in place of one change of a table: each part by itself, and what a new column is held to
 * under a name, which is the one that a PostgreSQL by itself would give it.
 */
export function alterationsOf(statement: string): string[] {
  const said = withoutComments(statement)
  const [head, table] = /^alter table (?:only )?([a-z_]+) /i.exec(said) ?? []
  if (head === undefined) return [statement]
  return splitAtMark(said.slice(head.length), ',')
    .flatMap((part) => columnOf(part.trim(), table!))
    .map((part) => head + part)
}

function columnOf(part: string, table: string): string[] {
  const [, column, rest] =
    /^add (?:column )?(?!constraint\b|foreign\b|check\b|unique\b|primary\b)([a-z_]+) (.*)$/is.exec(part) ?? []
  if (column === undefined) return [part]
  const [, before, check, references] =
    /^(.*?)(?: (check \(.*\)))?(?: (references [a-z_]+(?: ?\([^)]*\))?(?: on (?:delete|update) (?:cascade|restrict|set null|no action))*))?$/is.exec(
      rest!,
    )!
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
  const found: string[] = []
  let [from, depth] = [0, 0]
  for (const { 0: part, index } of text.matchAll(MARKS)) {
    if (part === '(') depth++
    else if (part === ')') depth--
    else if (part === mark && depth === 0) {
      found.push(text.slice(from, index))
      from = index + 1
    }
  }
  return [...found, text.slice(from)]
}
