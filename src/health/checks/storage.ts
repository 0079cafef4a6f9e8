import { openStorage } from '../../platform/storage/open_storage.ts'
import { newId } from '../../platform/validation/id.ts'
import type { Config } from '../../platform/config/config.ts'
import { errorMessage } from '../../platform/errors/error_code.ts'
import { phrase } from '../../platform/i18n/phrase.ts'
import { wrongFinding, type Finding } from '../finding.ts'

/** Reports whether the file storage saves, returns and removes a file. */
export async function storageFinding({ storage: location }: Pick<Config, 'storage'>): Promise<Finding> {
  const check = 'storage'
  const label =
    location.kind === 'bucket' ? phrase`bucket ${location.bucket} at ${location.endpoint}` : location.directory
  try {
    const storage = openStorage(location)
    const key = newId()
    await storage.save(key, Buffer.from(key), 'text/plain')
    const stream = await storage.get(key)
    const text = stream && (await new Response(stream).text())
    await storage.remove(key)
    if (text === key) return { check, ok: true, says: label }
    const message = phrase`${label} does not return the test file saved there`
    return wrongFinding(check, message, phrase`Check STORAGE_URL and the service behind it.`)
  } catch (error) {
    const fix =
      location.kind === 'bucket'
        ? phrase`Check STORAGE_URL, the AWS_ keys and the permissions on the bucket: put, get and delete objects.`
        : phrase`Make the folder writable by the service's user, or set DATA_DIR or STORAGE_URL.`
    return wrongFinding(check, phrase`${label}: ${errorMessage(error)}`, fix)
  }
}
