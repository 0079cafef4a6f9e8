import { copyPictures } from '../../../src/files/catalog_pictures.ts'
import { readPicture } from '../../../src/files/screening/pictures.ts'
import { writeTenant } from '../../../src/platform/db/tenant.ts'
import { openStorage } from '../../../src/platform/storage/open_storage.ts'
import type { TestService } from '../harness.ts'

/** Copies a company's catalog pictures as the worker does, from a fake web with the same bytes at every URL. */
export const copyPicturesFrom = ({ config, database }: TestService, tenant: string, bytes: Buffer): Promise<void> =>
  copyPictures(
    { tenant, storage: openStorage(config.storage), write: (work) => writeTenant(database, { tenant }, work) },
    async () => ({ ...(await readPicture(bytes, 'image_url')), etag: null, last_modified: null }),
  )

/** Requests bytes with a browser's cookies. */
export async function fetchBytes({ config }: TestService, path: string, jar: ReadonlyMap<string, string> = new Map()) {
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const answer = await fetch(new URL(path, config.baseUrl), { headers: { cookie } })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}
