const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/

/** Returns the name of a file in the backup folder. Throws if it could lead outside the folder. */
export function requireBackupName(name: string): string {
  if (!NAME.test(name) || name.length > 250) throw new Error(`Not a backup name: ${name.slice(0, 100)}`)
  return name
}

const ARCHIVE = /^callout-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ)\.tar\.gz$/

export const isArchiveName = (name: string): boolean => ARCHIVE.test(name)

/** Returns the name of an archive made at a moment. Names sort by time. */
export const archiveName = (at: Temporal.Instant): string => `callout-${momentName(at)}.tar.gz`

/** Formats a moment for a file name, to the second. */
export const momentName = (at: Temporal.Instant): string =>
  at.round({ smallestUnit: 'second', roundingMode: 'floor' }).toString().replaceAll(':', '-')
