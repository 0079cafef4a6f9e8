import { parseSegment, type Segment } from './segments.ts'

/** Folder of the write-ahead log in the backup folder. */
export const CHANGES = 'changes/'

/** Folder of the stored files in the backup folder. */
export const FILES = 'files/'

/** Returns the name in the backup folder of a file of the write-ahead log or of a timeline's history. */
export const changeName = (name: string): string => `${CHANGES}${name}.gz`

/** Parses a name in the backup folder as a file of the write-ahead log. */
export const parseChange = (name: string): Segment | undefined => parseSegment(plainName(name))

/** Returns the server's own name of a file. */
export const plainName = (name: string): string => name.slice(CHANGES.length).replace(/\.gz$/, '')
