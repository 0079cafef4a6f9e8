import type { Config } from '../config.ts'
import { openStorage } from '../files/open_storage.ts'
import type { Chore } from './chore.ts'
import { fileRemovals } from './file_removals.ts'
import { retention } from './retention.ts'
import { uploads } from './uploads.ts'

/** Returns the chores that depend on the configuration. */
export function configuredChores(config: Pick<Config, 'storage' | 'retention'>): Chore[] {
  const storage = openStorage(config.storage)
  return [uploads(storage), fileRemovals(storage), retention(config.retention)]
}
