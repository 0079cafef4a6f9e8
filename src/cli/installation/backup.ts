import { resolve } from 'node:path'
import { streamArchive } from '../../backup/archive/archive.ts'
import type { Trailer, Manifest } from '../../backup/archive/manifest.ts'
import { takeBackup, takeBackupTo } from '../../backup/archive/take.ts'
import { verifyBackup } from '../../backup/archive/verify.ts'
import { readConfig } from '../../platform/config/config.ts'
import { openStorage } from '../../platform/storage/open_storage.ts'
import { alignColumns } from '../columns.ts'
import { command, type Report } from '../command.ts'
import { openOutput } from '../output_path.ts'
import { withOwner } from '../with_database.ts'

export const backupCommand = command({
  name: 'backup',
  description: 'Backs up all rows and stored files to one file. The service can keep running.',
  options: {
    to: { value: '<file>', bare: true, description: 'New file for the gzipped tar archive, or - for standard output' },
    verify: { value: '<file>', description: 'Backup to verify instead, by its checksums and counts' },
  },
  anyOf: ['to', 'verify'],
  run: async ({ to, verify }) => {
    const config = readConfig()
    const { key } = config.backup
    if (verify !== undefined) return reportBackup('Verified', resolve(verify), await verifyBackup(resolve(verify), key))
    const storage = openStorage(config.storage)
    if (to !== '-') {
      const path = resolve(to ?? '')
      return reportBackup('Backup', path, await withOwner(config, (owner) => takeBackup(owner, storage, path, key)))
    }
    const output = openOutput()
    const backup = await withOwner(config, (owner) =>
      takeBackupTo(owner, storage, (fill) => streamArchive(output, fill, key)),
    )
    return { ...reportBackup('Backup', 'standard output', backup), toErrorOutput: true }
  },
})

const reportBackup = (label: string, file: string, backup: Manifest & Trailer): Report => ({
  json: {
    file,
    made_at: backup.made_at,
    migration: backup.migrations.at(-1)?.name,
    rows: backup.rows,
    files: backup.files,
    missing: backup.missing,
  },
  text: alignColumns([[label, file], ['As of', backup.made_at], ...listContents(backup)]),
})

/** Returns report rows on the contents of a backup. */
export const listContents = ({ rows, files, missing }: Trailer): string[][] => [
  ['Companies', String(rows['tenants'])],
  ['Rows', String(Object.values(rows).reduce((sum, count) => sum + count, 0))],
  ['Files', String(files)],
  ...(missing.length === 0
    ? []
    : [['Missing', `${missing.length} files that rows refer to are not in storage, such as ${missing[0]}`]]),
]
