import { randomUUID } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { errorMessage } from '../../platform/errors/error_code.ts'
import { phrase } from '../../platform/i18n/phrase.ts'
import { wrongFinding, type Finding } from '../finding.ts'

/** Reports whether the data directory is writable. */
export async function directoryFinding(dataDir: string): Promise<Finding> {
  const check = 'data directory'
  const probe = join(dataDir, `.doctor-${randomUUID()}`)
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    await using file = await open(probe, 'wx')
    // Removed before it is written, so that a killed doctor leaves nothing behind.
    await rm(probe)
    await file.writeFile('x')
    return { check, ok: true, says: phrase`${dataDir} is writable` }
  } catch (error) {
    const fix = phrase`Make ${dataDir} writable by the service's user, or set DATA_DIR to a folder that is.`
    return wrongFinding(check, errorMessage(error), fix)
  }
}
