import pino, { type DestinationStream, type Logger } from 'pino'
import { faultOf } from './fault.ts'

/** The log: a JSON line an event, faults without what was sent. */
export const openLog = (level: string, stream: DestinationStream): Logger => pino({ level, serializers: { err: (error: unknown) => faultOf(error) } }, stream)
