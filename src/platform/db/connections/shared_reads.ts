import { Unavailable } from '../../errors/refusal.ts'
import type { Send, Sql, StatementResult } from '../sql.ts'

/** Connection quota of a read, and the signal that its sender left. */
type ReadOptions = { of?: string; signal?: AbortSignal | undefined }

type Read<Options> = {
  statements: readonly Sql[]
  options: Options
  /** Ends its counting as one that waits for a connection. */
  leave: () => void
  resolve: (answers: StatementResult[]) => void
  reject: (error: unknown) => void
}

type Connections<Options> = {
  hold<T>(use: (send: Send) => Promise<T>, options: Options): Promise<T>
  /** Counts a read that waits with another. Throws where too many wait; returns how its waiting ends. */
  join(of: string | undefined): () => void
  sendAlone(statements: readonly Sql[], options: Options): Promise<StatementResult[]>
  /** Maximum reads of one round trip. */
  maxShared: number
}

/**
 * Returns how reads are sent that share a connection with those that enter the tenant alike: while one of them waits for
 * a connection, others join it, and all go in its round trip, behind one check of access. Where a connection is free,
 * nobody waits for anybody. Where a shared trip fails, each read is sent by itself, so that an error reaches only who
 * caused it.
 */
export function newReadSharing<Options extends ReadOptions>({
  hold,
  join,
  sendAlone,
  maxShared,
}: Connections<Options>) {
  /** Reads that joined one that waits for a connection, by how it enters. */
  const waiting = new Map<string, Read<Options>[]>()

  /** Waits for a connection, and sends what joined meanwhile with the first read. */
  async function lead(key: string, statements: readonly Sql[], options: Options) {
    const joined: Read<Options>[] = []
    let isOpen = true
    waiting.set(key, joined)
    const close = (): void => {
      if (!isOpen) return
      isOpen = false
      if (waiting.get(key) === joined) waiting.delete(key)
      for (const { leave } of joined) leave()
    }
    let reads: readonly Read<Options>[] = []
    try {
      return await hold(async (send) => {
        close()
        reads = requireInterest(joined)
        if (reads.length === 0) return send(statements)
        const answers = await send([...statements, ...reads.flatMap((read) => read.statements.slice(1))])
        return distribute(answers, statements.length, reads)
      }, options)
    } catch (error) {
      close()
      for (const { statements: own, options: its, resolve, reject } of requireInterest(joined))
        void sendAlone(own, its).then(resolve, reject)
      if (reads.length === 0 || error instanceof Unavailable) throw error
      return sendAlone(statements, options)
    }
  }

  return (statements: readonly Sql[], options: Options): Promise<StatementResult[]> => {
    const [entry] = statements
    if (entry === undefined || !isEntry(entry)) return sendAlone(statements, options)
    const key = entryKey(entry)
    const joined = waiting.get(key)
    if (joined === undefined || joined.length >= maxShared - 1) return lead(key, statements, options)
    return new Promise((resolve, reject) =>
      joined.push({ statements, options, leave: join(options.of), resolve, reject }),
    )
  }
}

/** Returns the reads whose senders still wait, and refuses the others. */
const requireInterest = <Options extends ReadOptions>(reads: readonly Read<Options>[]): Read<Options>[] =>
  reads.filter(({ options: { signal }, reject }) => {
    if (signal?.aborted === true) reject(signal.reason)
    return signal?.aborted !== true
  })

/** Gives each read its answers, and returns those of the first; the answer to the entry is everybody's. */
function distribute(answers: StatementResult[], own: number, reads: readonly Read<ReadOptions>[]): StatementResult[] {
  let at = own
  for (const { statements, resolve } of reads) {
    const count = statements.length - 1
    resolve([...answers.slice(0, 1), ...answers.slice(at, at + count)])
    at += count
  }
  return answers.slice(0, own)
}

/** Checks for a statement that enters a tenant. */
export const isEntry = ({ text }: Sql): boolean => text.startsWith('select enter_')

/** Returns what tells entries apart: how the tenant is entered, the tenant, the credential and its version. */
const entryKey = ({ text, values }: Sql): string => `${text} ${values.join(' ')}`
