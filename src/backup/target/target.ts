import { pipeline } from 'node:stream/promises'
import { encrypt } from '../archive/encryption.ts'
import type { FillStream } from '../archive/whole_file.ts'

/** File of the backup folder. `at` is when it was written, in milliseconds. */
export type BackupFile = { name: string; bytes: number; at: number }

/** Folder or bucket that holds backups (BACKUP_TO). A file is there whole or not at all. */
export type BackupTarget = {
  /** For messages, such as `/srv/backups` or `s3://bucket/prefix`. */
  label: string
  /** Writes a file as a stream and returns its size; the same name again replaces it. */
  write(name: string, fill: FillStream): Promise<number>
  /** Returns undefined if there is no such file. */
  read(name: string): Promise<AsyncIterable<Buffer> | undefined>
  /** Lists the files whose names begin so, in the order of their names. A prefix ends with `/`, or is empty. */
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
