import { pipeline } from 'node:stream/promises'
import { encrypt } from '../archive/encryption.ts'
import type { FillStream } from '../archive/whole_file.ts'

/** File in the backup folder. `at` is when it was written, in milliseconds. */
export type BackupFile = { name: string; bytes: number; at: number }

/** Folder or bucket that holds backups (BACKUP_TO). Files appear only once complete. */
export type BackupTarget = {
  /** Name for messages, such as `/srv/backups` or `s3://bucket/prefix`. */
  label: string
  /** Streams a file to the target and returns its size in bytes. Replaces a file of the same name. */
  write(name: string, fill: FillStream): Promise<number>
  /** Reads a file; undefined if it doesn't exist. */
  read(name: string): Promise<AsyncIterable<Buffer> | undefined>
  /** Lists the files whose names begin with a prefix, sorted by name. The prefix is empty or ends with `/`. */
  list(prefix: string): Promise<BackupFile[]>
  remove(name: string): Promise<void>
}

/** Writes bytes as a file, encrypted if there is a key. */
export const writeBytes = (
  target: BackupTarget,
  name: string,
  bytes: Buffer,
  key: Buffer | null = null,
): Promise<number> => target.write(name, (sink) => pipeline(encrypt([bytes], key), sink))
