/** Size in bytes of a file of the write-ahead log (PostgreSQL's default). */
export const SEGMENT_BYTES = 16 * 2 ** 20
const SEGMENTS_PER_LOG = 2 ** 32 / SEGMENT_BYTES

/** File of the write-ahead log: its timeline, and its sequence number. */
export type Segment = { timeline: number; number: number }

/** Parses the name of a file of the write-ahead log (`pg_walfile_name`); undefined for every other name. */
export function parseSegment(name: string): Segment | undefined {
  const [, timeline = '', log = '', part = ''] = /^([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})$/.exec(name) ?? []
  if (timeline === '' || Number.parseInt(part, 16) >= SEGMENTS_PER_LOG) return undefined
  const number = Number.parseInt(log, 16) * SEGMENTS_PER_LOG + Number.parseInt(part, 16)
  return { timeline: Number.parseInt(timeline, 16), number }
}

/** Returns the number of the file that contains a position such as `0/3000028`. */
export function segmentOf(position: string): number {
  const [, log = '', offset = ''] = /^([0-9A-Fa-f]{1,8})\/([0-9A-Fa-f]{1,8})$/.exec(position) ?? []
  if (log === '') throw new Error(`Not a write-ahead log position: ${position.slice(0, 40)}`)
  return Number.parseInt(log, 16) * SEGMENTS_PER_LOG + Math.floor(Number.parseInt(offset, 16) / SEGMENT_BYTES)
}

/** Checks for the history file of a timeline. A restore starts a new timeline. */
export const isHistory = (name: string): boolean => /^[0-9A-F]{8}\.history$/.test(name)

/** Returns the last file that follows `first` without a gap on its timeline; undefined if `first` itself is missing. */
export function lastWithoutGap(segments: readonly Segment[], first: Segment): Segment | undefined {
  const numbers = new Set(segments.filter(({ timeline }) => timeline === first.timeline).map(({ number }) => number))
  let number = first.number
  while (numbers.has(number)) number++
  return number === first.number ? undefined : { timeline: first.timeline, number: number - 1 }
}
