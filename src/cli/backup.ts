import { resolve } from 'node:path'
import { readConfig } from '../config.ts'
import { openStorage } from '../files/open_storage.ts'
import { bringBack, manifestOf } from './backup/bring_back.ts'
import type { Ending } from './backup/manifest.ts'
import { takeBackup } from './backup/take.ts'
import { aligned } from './aligned.ts'
import { command } from './command.ts'
import { asOwner } from './opened.ts'

export const backupCommands = [
  command({
    name: 'backup',
    description: 'Writes everything that there is, rows and stored files, into one file; the service may be running.',
    options: {
      to: {
        value: '<file>',
        required: true,
        bare: true,
        description: 'The file, a gzipped tar archive; it must not be there yet',
      },
    },
    run: async ({ to }) => {
      const [config, path] = [readConfig(), resolve(to)]
      const made = await asOwner(config, (owner) => takeBackup(owner, openStorage(config.storage), path))
      return {
        json: {
          file: path,
          made_at: made.made_at,
          migration: made.migrations.at(-1)?.name,
          rows: made.rows,
          files: made.files,
          missing: made.missing,
        },
        text: aligned([['Backup', path], ['As of', made.made_at], ...contents(made)]),
      }
    },
  }),
  command({
    name: 'restore',
    description: 'Brings a backup back into an empty database, all of it or nothing.',
    options: { from: { value: '<file>', required: true, bare: true, description: 'A file that backup wrote' } },
    run: async ({ from }) => {
      const [config, path] = [readConfig(), resolve(from)]
      // Before a database is started for a file that is none.
      await manifestOf(path)
      const restored = await asOwner(config, (owner) => bringBack(owner, openStorage(config.storage), path))
      const { made_at, rows, files, missing, migrated } = restored
      return {
        json: { file: path, made_at, rows, files, missing, migrated },
        text: aligned([
          ['Restored', path],
          ['As of', made_at],
          ...contents(restored),
          ...(migrated.length === 0 ? [] : [['Migrated', migrated.join(', ')]]),
        ]),
      }
    },
  }),
]

const contents = ({ rows, files, missing }: Ending): string[][] => [
  ['Companies', String(rows['tenants'])],
  ['Rows', String(Object.values(rows).reduce((sum, count) => sum + count, 0))],
  ['Files', String(files)],
  ...(missing.length === 0
    ? []
    : [['Missing', `${missing.length} files that rows name are not in storage, such as ${missing[0]}`]]),
]
