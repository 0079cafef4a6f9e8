import { Readable } from 'node:stream'
import type { ClientConfig, Connection, Submittable } from 'pg'
import { withClient } from '../../platform/db/transaction.ts'

/** Positions in the write-ahead log between which a copy was made, such as `0/3000028`, on a timeline. */
type BasePositions = { start: string; end: string; timeline: number }

/**
 * Copies the files of a database server while it runs, as a tar archive (BASE_BACKUP of the replication protocol,
 * PostgreSQL 54.4). It needs the write-ahead log from `start` to `end` to be of use. Connects as a superuser.
 */
export async function copyServerFiles(
  owner: ClientConfig,
  label: string,
  take: (tar: Readable) => Promise<void>,
): Promise<BasePositions> {
  return withClient({ ...owner, replication: 'true' } as ClientConfig, async (client) => {
    const query = client.query(
      new BaseBackupQuery(`BASE_BACKUP (LABEL '${label.replaceAll("'", '')}', CHECKPOINT 'fast')`),
    )
    await take(query.tar)
    return query.positions
  })
}

/** Types of the messages in the copy stream. Others are a file's name, the progress and the manifest. */
const DATA = 0x64

class BaseBackupQuery implements Submittable {
  readonly tar: Readable
  readonly positions: Promise<BasePositions>
  readonly #text: string
  readonly #rows: (string | null)[][] = []
  #connection: Connection | undefined
  #resolve!: (positions: BasePositions) => void
  #reject!: (error: unknown) => void

  constructor(text: string) {
    this.#text = text
    this.positions = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    this.positions.catch(() => {})
    this.tar = new Readable({ read: () => void this.#connection?.stream.resume() })
  }

  submit(connection: Connection): void {
    this.#connection = connection
    connection.query(this.#text)
  }

  handleRowDescription(): void {}

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.#rows.push(fields)
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (chunk[0] !== DATA || this.tar.destroyed) return
    // The driver uses its buffer again.
    if (!this.tar.push(Buffer.from(chunk.subarray(1)))) this.#connection?.stream.pause()
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    const [first, last] = [this.#rows[0], this.#rows.at(-1)]
    this.tar.push(null)
    this.#resolve({ start: String(first?.[0]), end: String(last?.[0]), timeline: Number(last?.[1]) })
  }

  handleError(error: unknown): void {
    this.#reject(error)
    this.tar.destroy(error instanceof Error ? error : new Error(String(error)))
  }
}
