import { createWriteStream } from 'node:fs'
import { lchown, mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ServerAccount } from '../../platform/db/embedded/user.ts'
import { DamagedArchive, entriesIn } from '../archive/tar.ts'

/** Matches the path of a server file. No part of it begins with a dot. */
const PATH = /^[A-Za-z0-9_][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_][A-Za-z0-9_.-]*)*\/?$/
const MAX_PATH = 200

/** Maximum number of files. A server has a few per table and index. */
const MAX_FILES = 1_000_000

/** Files that control what a server runs and who may connect. They are always replaced with these. */
const OWN_FILES: Readonly<Record<string, string>> = {
  'postgresql.conf': "default_text_search_config = 'pg_catalog.english'\n",
  'postgresql.auto.conf': '',
  'pg_ident.conf': '',
  'pg_hba.conf': ['local all', 'local replication', 'host all']
    .map((what) => `${what} all ${what.startsWith('host') ? '127.0.0.1/32 ' : ''}scram-sha-256\n`)
    .join(''),
}

/** Writes the files of a base backup into the new folder `data`. */
export async function unpackBase(tar: AsyncIterable<Buffer>, data: string): Promise<void> {
  await mkdir(data, { mode: 0o700 })
  let count = 0
  for await (const { name: entryName, kind, bytes } of entriesIn(tar)) {
    const name = entryName.replace(/^\.\//, '')
    if (name === '' && kind === 'folder') continue
    if (!PATH.test(name) || name.length > MAX_PATH || kind === 'other' || ++count > MAX_FILES)
      throw new DamagedArchive(`it has an entry that isn't a server file, ${name.slice(0, 100)}`)
    const path = join(data, name)
    if (kind === 'folder') await mkdir(path, { recursive: true, mode: 0o700 })
    else if (!(name in OWN_FILES)) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await pipeline(Readable.from(bytes), createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    }
  }
  for (const [name, text] of Object.entries(OWN_FILES)) await writeFile(join(data, name), text, { mode: 0o600 })
}

/** Gives a folder and everything in it to an account. */
export async function changeOwner({ uid, gid }: ServerAccount, folder: string): Promise<void> {
  await lchown(folder, uid, gid)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await lchown(join(entry.parentPath, entry.name), uid, gid)
}
