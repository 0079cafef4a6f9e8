import type { StorageLocation } from '../../platform/storage/storage.ts'
import { openBackupBucket } from './bucket.ts'
import { openBackupFolder } from './folder.ts'
import type { BackupTarget } from './target.ts'

/** Opens the configured backup folder or bucket (BACKUP_TO). */
export const openTarget = (location: StorageLocation): BackupTarget =>
  location.kind === 'bucket' ? openBackupBucket(location) : openBackupFolder(location.directory)
