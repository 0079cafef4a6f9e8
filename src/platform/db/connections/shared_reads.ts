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

/** Reads that wait for one connection, and how the waiting of those that joined ends. */
type Group<Options> = { reads: Read<Options>[]; leaves: (() => void)[] }

type Connections<Options> = {
  hold<T>(use: (send: Send) => Promise<T>, options: Options): Promise<T>
  /** Counts a read that waits with another. Throws where too many wait; returns how its waiting ends. */
  join(of: string | undefined): () => void
  sendAlone(statements: readonly Sql[], options: Options): Promise<StatementResult[]>
  /** Maximum reads of one round trip. */
  maxShared: number
}

/**
 * Returns how reads are sent that share a connection with those that enter the tenant alike: while one waits for a
 * connection, others join it, and all go in its round trip, behind one check of access. Where a connection is free,
 * nobody waits for anybody. Where a shared trip fails, each read is sent by itself, so that an error reaches only who
 * caused it.
 */
export function newReadSharing<Options extends ReadOptions>({
  hold,
  join,
  sendAlone,
  maxShared,
}: Connections<Options>) {
  const waiting = new Map<string, Group<Options>>()

  /** Waits for a connection as the first read does, and sends what joined meanwhile with it. */
  async function sendTogether(key: string, entry: Sql, first: Read<Options>): Promise<void> {
    const group: Group<Options> = { reads: [first], leaves: [] }
    waiting.set(key, group)
    const close = (): Read<Options>[] => {
      if (waiting.get(key) === group) waiting.delete(key)
      for (const leave of group.leaves.splice(0)) leave()
      return group.reads.filter(isStillWanted)
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

/** Checks whether a sender still waits, and refuses the read if not. */
const isStillWanted = ({ options: { signal }, reject }: Read<ReadOptions>): boolean => {
  if (signal?.aborted === true) reject(signal.reason)
  return signal?.aborted !== true
}

/** Checks for a statement that enters a tenant. */
export const isEntry = ({ text }: Sql): boolean => text.startsWith('select enter_')

/** Returns what tells entries apart: how the tenant is entered, the tenant, the credential and its version. */
const entryKey = ({ text, values }: Sql): string => `${text} ${values.join(' ')}`
