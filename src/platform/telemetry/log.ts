import pino, { type DestinationStream, type Logger } from 'pino'
import { faultOf } from './fault.ts'

/** Bytes that a pipe writes atomically, so that lines of several processes never mix. */
const ATOMIC_BYTES = 4_096

/**
 * Opens the destination of log lines: standard error, or a file. Every write wakes a thread, so a single process
 * buffers many lines; with several processes, each write is small enough to be atomic.
 */
export const openLogLines = (dest: number | string, isSingleProcess: boolean): ReturnType<typeof pino.destination> =>
  pino.destination({
    dest,
    sync: false,
    periodicFlush: 250,
    ...(isSingleProcess ? { minLength: 12_288, maxWrite: 16_384 } : { minLength: 3_072, maxWrite: ATOMIC_BYTES }),
  })

/**
 * Opens the log: one JSON line per event, with its level by name and its time in RFC 3339, and faults without input.
 */
export const openLog = (level: string, stream: DestinationStream): Logger =>
  pino(
    {
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (name) => ({ level: name }) },
      serializers: { err: (error: unknown) => faultOf(error) },
    },
    stream,
  )
