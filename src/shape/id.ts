import { randomUUIDv7 } from 'node:crypto'

/** A new record's id: UUID version 7 (RFC 9562 5.7), so that ids sort by the time they were made. */
export const newId = (): string => randomUUIDv7()

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Whether a text is a UUID in its canonical lower-case form (RFC 9562 4). */
export const isId = (text: string): boolean => UUID.test(text)
