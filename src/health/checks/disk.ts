import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import type { Config } from '../../platform/config/config.ts'
import { errorMessage } from '../../platform/errors/error_code.ts'
import { phrase, type Phrase } from '../../platform/i18n/phrase.ts'
import { wrongFinding, type Finding } from '../finding.ts'

/** Minimum free space: in bytes, and as a share of the disk. */
type MinFree = Config['minFree']

/** Free space and size of a disk in bytes. */
export type DiskMeasures = { name: 'data' | 'temporary'; free: number; size: number }

/** Free space and size of a file system in bytes. */
type DiskSpace = { free: number; size: number }

/** Reports whether there is space for the database and files, and for uploads in progress. */
export const diskFindings = ({ dataDir, minFree }: Pick<Config, 'dataDir' | 'minFree'>): Promise<Finding[]> =>
  Promise.all([
    diskFinding('disk', dataDir, minFree, phrase`Free up space, or move DATA_DIR to a larger disk.`),
    diskFinding(
      'temporary folder',
      tmpdir(),
      minFree,
      phrase`Free up space, or set TMPDIR to a folder on a larger disk.`,
    ),
  ])

async function diskFinding(check: string, folder: string, min: MinFree, fix: Phrase): Promise<Finding> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return spaceFinding(check, folder, { free: bavail * bsize, size: blocks * bsize }, min, fix)
  } catch (error) {
    return wrongFinding(check, errorMessage(error), fix)
  }
}

export function spaceFinding(
  check: string,
  folder: string,
  { free, size }: DiskSpace,
  min: MinFree,
  fix: Phrase,
): Finding {
  const message = phrase`${folder} has ${(free / 2 ** 30).toFixed(1)} of ${(size / 2 ** 30).toFixed(1)} GiB free`
  return free < min.bytes || free < size * min.share
    ? wrongFinding(check, message, fix)
    : { check, ok: true, says: message }
}

/** Measures the disks of the data directory and the temporary folder. Omits a folder that can't be read. */
export async function readDisks({ dataDir }: Pick<Config, 'dataDir'>): Promise<DiskMeasures[]> {
  const folders = [['data', dataDir] as const, ['temporary', tmpdir()] as const]
  const measured = await Promise.all(
    folders.map(async ([name, folder]) => {
      const stats = await statfs(folder).catch(() => undefined)
      return stats && { name, free: stats.bavail * stats.bsize, size: stats.blocks * stats.bsize }
    }),
  )
  return measured.filter((one) => one !== undefined)
}
