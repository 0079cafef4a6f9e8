import pino, { type DestinationStream, type Logger } from 'pino'
import { faultOf } from './fault.ts'

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
