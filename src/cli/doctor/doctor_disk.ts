import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import type { Config } from '../../platform/config/config.ts'
import type { Finding } from '../finding.ts'

/** Free space in bytes below which a disk is almost full. */
const MIN_FREE_BYTES = 2 ** 30
const MIN_FREE_SHARE = 0.05

/** Space on a file system, in bytes. */
export type DiskSpace = { free: number; whole: number }

/** Finds whether there is space where the database and the files are, and where uploads are while they come. */
export const diskFindings = ({ dataDir }: Pick<Config, 'dataDir'>): Promise<Finding[]> =>
  Promise.all([
    diskFinding('disk', dataDir, 'Make room there, or set DATA_DIR to a larger disk.'),
    diskFinding('temporary folder', tmpdir(), 'Make room there, or set TMPDIR to a folder of a larger disk.'),
  ])

async function diskFinding(check: string, folder: string, mend: string): Promise<Finding> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return spaceFinding(check, folder, { free: bavail * bsize, whole: blocks * bsize }, mend)
  } catch (error) {
    return { check, ok: false, says: error instanceof Error ? error.message : String(error), mend }
  }
}

export function spaceFinding(check: string, folder: string, { free, whole }: DiskSpace, mend: string): Finding {
  const says = `${folder} has ${(free / 2 ** 30).toFixed(1)} GiB left of ${(whole / 2 ** 30).toFixed(1)}`
  return free < MIN_FREE_BYTES || free < whole * MIN_FREE_SHARE
    ? { check, ok: false, says, mend }
    : { check, ok: true, says }
}
