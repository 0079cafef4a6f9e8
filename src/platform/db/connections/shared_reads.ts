import { Unavailable } from '../../errors/refusal.ts'
import type { Send, Sql, StatementResult } from '../sql.ts'

type ReadOptions = { of?: string; signal?: AbortSignal | undefined }
type Read<Options> = {
  /** Statements after the one that enters the tenant. */
  others: readonly Sql[]
  options: Options
  resolve: (answers: StatementResult[]) => void
  reject: (error: unknown) => void
}

/** Reads that wait for one connection, and functions that stop counting the joined ones as waiting. */
type Group<Options> = { reads: Read<Options>[]; leaves: (() => void)[] }

type Connections<Options> = {
  hold<T>(use: (send: Send) => Promise<T>, options: Options): Promise<T>
  /** Counts a read that waits with another, until the result is called. Throws if too many wait. */
  join(of: string | undefined): () => void
  sendAlone(statements: readonly Sql[], options: Options): Promise<StatementResult[]>
  /** Maximum number of reads per round trip. */
  maxShared: number
}

/**
 * Returns a function that sends reads. While one waits for a connection, others that enter the same tenant in the same
 * way join it: all go in one round trip, behind one access check. If a connection is free, no read waits for another.
 * If a shared round trip fails, each read is sent separately, so that an error reaches only the caller that caused it.
 */
export function newReadSharing<Options extends ReadOptions>({
  hold,
  join,
  sendAlone,
  maxShared,
}: Connections<Options>) {
  const waiting = new Map<string, Group<Options>>()

  /** Waits for a connection with the first read's options, then sends it with the reads that joined meanwhile. */
  async function sendTogether(key: string, entry: Sql, first: Read<Options>): Promise<void> {
    const group: Group<Options> = { reads: [first], leaves: [] }
    waiting.set(key, group)
    const close = (): Read<Options>[] => {
      if (waiting.get(key) === group) waiting.delete(key)
      for (const leave of group.leaves.splice(0)) leave()
      return group.reads.filter(isStillWaiting)
    }
    try {
      await hold(async (send) => {
        const reads = close()
        if (reads.length === 0) return
        const [entered, ...answers] = await send([entry, ...reads.flatMap(({ others }) => others)])
        for (const { others, resolve } of reads) resolve([entered, ...answers.splice(0, others.length)])
      }, first.options)
    } catch (error) {
      const reads = close()
      const isOver = reads.length < 2 || error instanceof Unavailable
      if (isOver) first.reject(error)
      for (const { others, options, resolve, reject } of isOver ? reads.filter((read) => read !== first) : reads)
        void sendAlone([entry, ...others], options).then(resolve, reject)
    }
  }

  return (statements: readonly Sql[], options: Options): Promise<StatementResult[]> => {
    const [entry, ...others] = statements
    if (entry === undefined || !isEntry(entry)) return sendAlone(statements, options)
    const key = entryKey(entry)
    const group = waiting.get(key)
    return new Promise((resolve, reject) => {
      const read = { others, options, resolve, reject }
      if (group === undefined || group.reads.length >= maxShared) return void sendTogether(key, entry, read)
      group.leaves.push(join(options.of))
      group.reads.push(read)
    })
  }
}

/** Checks whether the caller still waits; rejects the read if not. */
const isStillWaiting = ({ options: { signal }, reject }: Read<ReadOptions>): boolean => {
  if (signal?.aborted === true) reject(signal.reason)
  return signal?.aborted !== true
}

/** Checks whether a statement enters a tenant. */
export const isEntry = ({ text }: Sql): boolean => text.startsWith('select enter_')

/** Returns a key for an entry: the kind of entry, the tenant, the credential and its version. */
const entryKey = ({ text, values }: Sql): string => `${text} ${values.join(' ')}`
