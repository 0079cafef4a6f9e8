import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Client, Connection, Submittable } from 'pg'

/** Rows in COPY's text form, each with its line end (PostgreSQL, COPY, "Text Format"). */
type Part = Buffer

/** So many bytes of rows are handed on together. */
const PART = 4 * 1024 * 1024

/**
 * Runs a `copy … to stdout` and hands its rows on in parts; the server waits for as long as a part is being taken.
 * Answers how many rows there were.
 */
export function copyOut(client: Client, text: string, take: (part: Part) => Promise<void>): Promise<number> {
  return client.query(new CopyOut(text, take)).rows
}

/** Runs a `copy … from stdin` of parts as they come, no faster than the server takes them. Answers how many rows were written. */
export function copyIn(client: Client, text: string, parts: AsyncIterable<Part>): Promise<number> {
  return client.query(new CopyIn(text, parts)).rows
}

/** One statement of the simple protocol (PostgreSQL 54.2.6), settled when the server is ready for the next. */
class Copy implements Submittable {
  readonly rows: Promise<number>
  readonly #text: string
  readonly #settle: { resolve: (rows: number) => void; reject: (error: unknown) => void }
  #rows = 0

  constructor(text: string) {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    this.rows = promise
    this.#text = text
    this.#settle = { resolve, reject }
  }

  submit(connection: Connection): void {
    connection.query(this.#text)
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#rows = Number(text.slice('COPY '.length))
  }

  handleReadyForQuery(): void {
    this.#settle.resolve(this.#rows)
  }

  handleError(error: unknown): void {
    this.#settle.reject(error)
  }
}

class CopyOut extends Copy {
  readonly #take: (part: Part) => Promise<void>
  #gathered: Buffer[] = []
  #size = 0
  #taking: Promise<void> = Promise.resolve()

  constructor(text: string, take: (part: Part) => Promise<void>) {
    super(text)
    this.#take = take
  }

  handleCopyData({ chunk }: { chunk: Buffer }, { stream }: Connection): void {
    // Copied, because its memory is used again for the rows that follow.
    this.#gathered.push(Buffer.from(chunk))
    this.#size += chunk.length
    if (this.#size < PART) return
    stream.pause()
    this.#pass()
    void this.#taking.then(() => stream.resume(), () => stream.resume())
  }

  #pass(): void {
    const part = Buffer.concat(this.#gathered)
    this.#gathered = []
    this.#size = 0
    this.#taking = this.#taking.then(() => this.#take(part))
  }

  override handleReadyForQuery(): void {
    if (this.#size > 0) this.#pass()
    this.#taking.then(() => super.handleReadyForQuery(), (error: unknown) => this.handleError(error))
  }
}

type CopyWire = { stream: Socket; sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void; sendCopyFail(why: string): void }

class CopyIn extends Copy {
  readonly #parts: AsyncIterable<Part>
  #refused: unknown
  #fault: unknown

  constructor(text: string, parts: AsyncIterable<Part>) {
    super(text)
    this.#parts = parts
  }

  handleCopyInResponse(connection: Connection): void {
    const wire = connection as unknown as CopyWire
    this.#send(wire).then(() => wire.endCopyFrom(), (error: unknown) => {
      this.#fault = error
      wire.sendCopyFail('the rows were not read to their end')
    })
  }

  async #send(wire: CopyWire): Promise<void> {
    for await (const part of this.#parts) {
      if (this.#refused !== undefined) return
      wire.sendCopyFromChunk(part)
      if (wire.stream.writableNeedDrain) await Promise.race([once(wire.stream, 'drain'), once(wire.stream, 'close')])
    }
  }

  /** What was wrong with the parts is said rather than that they broke off. */
  override handleError(error: unknown): void {
    this.#refused = error
    super.handleError(this.#fault ?? error)
  }
}
