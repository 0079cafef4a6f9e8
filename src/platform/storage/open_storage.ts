import type { Storage, StorageLocation } from './storage.ts'
import { openBucket } from './storage_bucket.ts'
import { openDirectory } from './storage_directory.ts'

/** Opens the configured storage: a directory, or a bucket of an S3-compatible service. */
export const openStorage = (location: StorageLocation): Storage =>
  location.kind === 'bucket' ? openBucket(location) : openDirectory(location.directory)
