import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findPackagedMajor } from './binaries.ts'
import { EmbeddedError, ignoreCodes } from './error.ts'
import type { Home } from './home.ts'

/**
 * Refuses to launch a server on the files of another major version, which only the release that ships that version can
 * read; a running server of any version may be used, for a backup among other things.
 */
export async function requireSameMajor({ folder, data }: Home): Promise<void> {
  const written = Number.parseInt(
    (await readFile(join(data, 'PG_VERSION'), 'utf8').catch(ignoreCodes('ENOENT'))) ?? '',
    10,
  )
  const ours = await findPackagedMajor()
  if (Number.isNaN(written) || written === ours) return
  const cause =
    `The database in ${folder} is of PostgreSQL ${written}, ` +
    `and this release of Callout comes with PostgreSQL ${ours}, which can't open it`
  if (written > ours)
    throw new EmbeddedError(`${cause}. Nothing was changed. Start the later release of Callout that was used before.`)
  throw new EmbeddedError(
    `${cause}. Nothing was changed: keep the folder, install the release of Callout that was used before, ` +
      'run "npx callout backup --to <file>" with it, then install this release again, set DATA_DIR to a new folder, ' +
      'copy data.key there unless DATA_KEY is set, and run "npx callout restore --from <file>".',
  )
}
