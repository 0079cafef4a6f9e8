import { Readable } from 'node:stream'
import type { ClientConfig, Connection, Submittable } from 'pg'
import { withClient } from '../../platform/db/transaction.ts'

/** Write-ahead log positions, such as `0/3000028`, at the start and end of a copy, and their timeline. */
type BasePositions = { start: string; end: string; timeline: number }

/**
 * Copies the files of a running database server as a tar archive (BASE_BACKUP of the replication protocol, PostgreSQL
 * 54.4). To be usable, it needs the write-ahead log from `start` to `end`. Connects as a superuser.
 */
export async function copyServerFiles(
  owner: ClientConfig,
  label: string,
  readTar: (tar: Readable) => Promise<void>,
): Promise<BasePositions> {
  return withClient({ ...owner, replication: 'true' } as ClientConfig, async (client) => {
    const query = client.query(
      new BaseBackupQuery(`BASE_BACKUP (LABEL '${label.replaceAll("'", '')}', CHECKPOINT 'fast')`),
    )
    await readTar(query.tar)
    return query.positions
  })
}

/** Type of a data message in the copy stream. Other types carry a file's name, the progress or the manifest. */
const DATA_MESSAGE = 0x64

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
    if (chunk[0] !== DATA_MESSAGE || this.tar.destroyed) return
    // The driver reuses its buffer.
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
