import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findMajor, findPackagedMajor, findPreviousBinaries } from './binaries.ts'
import { ignoreCodes } from '../../errors/error_code.ts'
import { EmbeddedError } from './error.ts'
import type { Home } from './home.ts'

/** Returns the major version that wrote a cluster, undefined if unknown. */
export async function readMajor(data: string): Promise<number | undefined> {
  const written = await readFile(join(data, 'PG_VERSION'), 'utf8').catch(ignoreCodes('ENOENT', 'ENOTDIR'))
  const major = Number.parseInt(written ?? '', 10)
  return Number.isNaN(major) ? undefined : major
}

/**
 * Returns the executables that open a cluster: ours, or those of `previous` if they have its major version. A running
 * server may be of any version.
 */
export async function chooseBinaries(home: Home, previous: string | null): Promise<Home['binaries']> {
  const { folder, data, binaries } = home
  const [written, ours] = [await readMajor(data), await findPackagedMajor()]
  if (written === undefined || written === ours) return binaries
  const cause =
    `The database in ${folder} is from PostgreSQL ${written}, ` +
    `but this release of Callout includes PostgreSQL ${ours}, which can't open it`
  if (written > ours)
    throw new EmbeddedError(`${cause}. Nothing was changed. Start the newer Callout release that you used before.`)
  if (previous === null)
    throw new EmbeddedError(
      `${cause}. Nothing was changed. Set POSTGRES_PREVIOUS to the directory of the Callout release that you used ` +
        'before, and start this one again: it migrates the data.',
    )
  const older = await findPreviousBinaries(previous)
  if ((await findMajor(older)) === written) return older
  throw new EmbeddedError(`${cause}. POSTGRES_PREVIOUS is ${previous}, whose PostgreSQL is not ${written} either.`)
}
