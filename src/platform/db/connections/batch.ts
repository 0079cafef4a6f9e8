import type { Connection, Submittable } from 'pg'
import utils from 'pg/lib/utils.js'
import { serialize } from 'pg-protocol'
import type { Row, Sql, StatementResult } from '../sql.ts'
import { parserOf } from '../driver/values.ts'

type Column = { name: string; parse: (text: string) => unknown }
type Prepared = { name: string; columns: Column[] | undefined; parsed: boolean }

/**
 * Maximum number of named statements per connection. Further statements are unnamed, which limits the connection's
 * memory.
 */
const MAX_NAMED = 500

/**
 * Sends statements under one Sync: one round trip and, outside BEGIN, one implicit transaction (PostgreSQL 54.2.3,
 * pipelining). Each is a named prepared statement of its connection, described once and afterwards only bound and
 * executed.
 */
export class Batch implements Submittable {
  readonly answers: Promise<StatementResult[]>
  readonly #statements: readonly { text: string; values: unknown[] }[]
  readonly #sent: Prepared[] = []
  readonly #unparsed: Prepared[] = []
  readonly #answered: StatementResult[] = []
  #rows: Row[] = []
  #connection: Connection | undefined
  #resolve!: (answers: StatementResult[]) => void
  #reject!: (error: unknown) => void

  /** Encodes the values here, so that one that can't be encoded throws before anything is sent. */
  constructor(statements: readonly Sql[]) {
    this.#statements = statements.map(({ text, values }) => ({
      text,
      values: values.map((value) => utils.prepareValue(value)),
    }))
    this.answers = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  submit(connection: Connection): void {
    const prepared = statementsOn(connection)
    this.#connection = connection
    const messages: Buffer[] = []
    const isUnnamed = unnamed.has(connection)
    for (const statement of this.#statements) this.#write(messages, prepared, statement, isUnnamed)
    messages.push(SYNC)
    if (connection.stream.writable) connection.stream.write(Buffer.concat(messages))
    if (this.#unparsed.length > 0) connection.on('parseComplete', this.#parsed)
  }

  /** Adds the messages of one statement. A batch is written as one buffer, cheaper than a vector of twenty. */
  #write(
    messages: Buffer[],
    existing: Map<string, Prepared>,
    { text, values }: { text: string; values: unknown[] },
    isUnnamed: boolean,
  ): void {
    let prepared = existing.get(text)
    if (prepared === undefined) {
      const isNamed = existing.size < MAX_NAMED && !isUnnamed
      prepared = { name: isNamed ? `s${++serial}` : '', columns: undefined, parsed: false }
      if (prepared.name !== '') existing.set(text, prepared)
      this.#unparsed.push(prepared)
      messages.push(serialize.parse({ name: prepared.name, text, types: [] }))
    }
    this.#sent.push(prepared)
    messages.push(serialize.bind({ statement: prepared.name, values }))
    if (prepared.columns === undefined) messages.push(serialize.describe({ type: 'P' }))
    messages.push(serialize.execute())
  }

  readonly #parsed = (): void => {
    const prepared = this.#unparsed.shift()
    if (prepared) prepared.parsed = true
    if (this.#unparsed.length === 0) this.#connection?.off('parseComplete', this.#parsed)
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    const prepared = this.#sent[this.#answered.length]
    if (prepared) prepared.columns = fields.map((field) => ({ name: field.name, parse: parserOf(field.dataTypeID) }))
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const columns = this.#sent[this.#answered.length]?.columns ?? []
    const row: Row = {}
    for (let i = 0; i < columns.length; i++) {
      const column = columns[i]!
      const text = fields[i]
      row[column.name] = text == null ? null : column.parse(text)
    }
    this.#rows.push(row)
  }

  handleCommandComplete({ text }: { text: string }): void {
    const prepared = this.#sent[this.#answered.length]
    if (prepared) prepared.columns ??= []
    this.#answered.push({ rows: this.#rows, count: Number(text.slice(text.lastIndexOf(' ') + 1)) || 0 })
    this.#rows = []
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' })
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#answered)
  }

  /**
   * Forgets the statements that the server hasn't parsed: after an error it skips to the Sync, so the next batch must
   * parse them.
   */
  handleError(error: unknown, connection: Connection): void {
    connection.off('parseComplete', this.#parsed)
    const existing = statementsOn(connection)
    for (const [text, prepared] of existing)
      if (!prepared.parsed && this.#unparsed.includes(prepared)) existing.delete(text)
    this.#reject(error)
  }

  handlePortalSuspended(): void {}
}

/**
 * Runs every statement of a connection unnamed: behind a pooler the next transaction may reach another session of the
 * server.
 */
export const useUnnamedStatements = (connection: Connection): void => void unnamed.add(connection)

const unnamed = new WeakSet<Connection>()
const preparedByConnection = new WeakMap<Connection, Map<string, Prepared>>()
let serial = 0

function statementsOn(connection: Connection): Map<string, Prepared> {
  let existing = preparedByConnection.get(connection)
  if (existing === undefined) preparedByConnection.set(connection, (existing = new Map()))
  return existing
}

const SYNC = serialize.sync()
