import { Sql } from 'sql-template-tag'
import type { Send } from '../batch.ts'

/**
 * Sends statements as a cluster needs them, so that one tenant's reach one machine. It follows which tenant was entered on
 * the connection that is held.
 */
export function routed(send: Send): Send {
  let tenant: string | null = null
  return (statements) =>
    send(
      statements.map((statement) => {
        if (ENTERS.test(statement.text)) tenant = statement.values[0] as string
        else if (LEAVES.test(statement.text)) tenant = null
        else return fittedTo(statement, tenant)
        return statement
      }),
    )
}

const ENTERS = /^\s*select enter_(?:tenant|settled|to_write)\(/
const LEAVES = /^\s*(?:select leave_tenant\(|commit$|rollback$)/

/** Returns a statement as a cluster takes it, itself where nothing needs to differ. */
export function fittedTo(statement: Sql, tenant: string | null): Sql {
  const asked = statement.strings.join(VALUE)
  const inSteps = timed(writtenFirst(added(asked.replace(LEASED, '').replaceAll(EMPTY, '$&1 '))))
  const text = tenant === null ? inSteps : led(inSteps)
  if (text === asked) return statement
  const values = statement.values.values()
  const marks = text.match(EITHER) ?? []
  return new Sql(
    text.split(EITHER),
    marks.map((mark) => (mark === VALUE ? values.next().value : tenant)),
  )
}

/** Is what a cluster can't do over several machines; who comes second finds the lease taken. */
const LEASED = /(?<=from chore_leases\b.+) for update skip locked/s

/** Precedes what is asked of another table beforehand: rows without a column are handed on by none. */
const EMPTY = /\bexists \(select (?=from )/g

/** Stand for a value of the statement, and for the tenant, while its text is looked at. */
const [VALUE, TENANT] = ['\u{1}', '\u{2}']
// oxlint-disable-next-line no-control-regex
const EITHER = /[\u{1}\u{2}]/gu

/** Names the tenant itself wherever two tables are joined by it: inside a row's own subquery that leads nowhere. */
const led = (text: string): string =>
  text.replaceAll(/\b([a-z_]+)\.tenant_id = [a-z_]+\.tenant_id\b/g, `$& and $1.tenant_id = ${TENANT}`)

/** Adds a length to a time of a row by a function that a cluster takes in an update (`fitFunctions`). */
const added = (text: string): string =>
  /^\s*update\b/.test(text)
    ? text
        .replaceAll(/\b([a-z]+\.[a-z_]+) \+ (\([^()]*\))/g, 'later_by($1, $2)')
        .replaceAll(
          /(?<![\w:.])([a-z_.]+) ([+-]) (interval '[^']*'|make_interval\([^()]*\))/g,
          (_, time: string, sign: string, length: string) => `later_by(${time}, ${sign === '-' ? '- ' : ''}${length})`,
        )
    : text

/**
 * Asks for the time of a change by a function that a cluster takes in a condition, too. Its argument is a value of the
 * statement, so that no plan that is kept has a time in it.
 */
function timed(text: string): string {
  const from = /^\s*update\b/.test(text) ? 0 : text.indexOf(' do update set ')
  if (from === -1 || !/^\s*(?:update|insert)\b/.test(text)) return text
  return text.slice(0, from) + text.slice(from).replaceAll('moment()', `moment_of(${TENANT}::uuid)`)
}

const WRITES =
  /^\s*(?:insert into|update|delete from)\s+([a-z_]+)(?:\s+(?:as\s+)?(?!(?:set|using|where|returning)\b)([a-z]+)(?=\s))?/

/**
 * Inserts what was selected: unless it gives something back it would be a COPY, which row-level security refuses, or count
 * what was in conflict, too.
 */
const COPIES = /(?:^|\)\s)\s*insert into [a-z_]+(?: as [a-z]+)? \([^)]*\)\s+select\b(?!.*\breturning\b)/s

/** Computes what a write gives back in a second step: a cluster looks up nothing while it writes. */
function writtenFirst(text: string): string {
  if (COPIES.test(text)) return `${text} returning true as written`
  const [, table = '', name = table] = WRITES.exec(text) ?? []
  const at = table === '' ? -1 : text.lastIndexOf('returning ')
  const given = at === -1 ? '' : text.slice(at + 'returning '.length)
  if (!/\(select |\bmoment\(/.test(given)) return text
  return `with written as (${text.slice(0, at)}returning ${name}.*) select ${given} from written ${name}`
}
