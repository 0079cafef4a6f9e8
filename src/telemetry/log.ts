import pino, { type DestinationStream, type Logger } from 'pino'
import { faultOf } from './fault.ts'

/** Opens the log: a JSON line for each event, faults without what was sent. */
export const openLog = (level: string, stream: DestinationStream): Logger =>
  pino({ level, serializers: { err: (error: unknown) => faultOf(error) } }, stream)
