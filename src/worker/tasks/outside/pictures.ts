import { copyPictures, type FetchPicture } from '../../../files/catalog_pictures.ts'
import type { Storage } from '../../../platform/storage/storage.ts'
import { PICTURES_TASK } from '../../../records/catalog_items/index.ts'
import type { PeriodicTask } from '../../periodic_task.ts'
import { daily } from '../../schedule.ts'

/** Returns the task that copies catalog pictures, in a lane of its own: on a change, and daily for failed ones. */
export const catalogPictureTask = (fetchPicture: FetchPicture, storage: Storage): PeriodicTask => ({
  name: PICTURES_TASK,
  of: 'tenant',
  lane: 'pictures',
  next: daily('03:50'),
  run: ({ tenant, write }) => copyPictures({ tenant: tenant.id, storage, write }, fetchPicture),
})
