import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findCaller, type Caller } from '../../../src/identity/credentials/caller.ts'
import { hashOf } from '../../../src/identity/credentials/secret_hash.ts'
import { sql } from '../../../src/platform/db/database.ts'
import { readTenant } from '../../../src/platform/db/tenant.ts'
import { addJobMedia, openJobMedia, removeJobMedia, type MediaUpload } from '../../../src/files/job_media.ts'
import { openStorage } from '../../../src/platform/storage/open_storage.ts'
import { fileRemovalTask } from '../../../src/worker/tasks/file_removals.ts'
import { enrollAll, runDue } from '../../../src/worker/worker.ts'
import { FILES } from '../../harness/files/files.ts'
import { makeCompany, startTestService } from '../../harness/harness.ts'
import { captureLines } from '../../harness/processes/workers.ts'

export const JPEG = FILES['image/jpeg']!

/** Returns the start of an ISO media file (ISO 14496-12 4.3) of a brand. */
export const heif = (brand: string): Buffer =>
  Buffer.concat([
    Buffer.from([0, 0, 0, 24]),
    Buffer.from(`ftyp${brand}`),
    Buffer.alloc(4),
    Buffer.from('mif1heic'),
    Buffer.alloc(64),
  ])

export const bytesOf = async (body: ConstructorParameters<typeof Response>[0]): Promise<Buffer> =>
  Buffer.from(await new Response(body).arrayBuffer())

export type MediaScene = Awaited<ReturnType<typeof openMediaScene>>

/** Opens a service, a company with a customer, and storage in its own directory. */
export async function openMediaScene() {
  const service = await startTestService()
  const { database } = service
  const company = await makeCompany(service)
  const callerOf = async (key: string): Promise<Caller> => {
    const found = await findCaller(database, hashOf(key))
    if (typeof found === 'string') throw new Error(found)
    return found
  }
  const caller = await callerOf(company.owner.key)
  const customer = (await company.call('customers_create', { customer_type: 'individual', first_name: 'Ana' }))['id']
  const directory = await mkdtemp(join(tmpdir(), 'callout-media-'))
  const files = openStorage({ kind: 'directory', directory })
  const inTenant = <T>(query: ReturnType<typeof sql>): Promise<T[]> =>
    readTenant(database, { tenant: company.tenant }, (db) => db.all<T>(query))
  return {
    service,
    company,
    caller,
    files,
    callerOf,
    makeJob: async (): Promise<string> =>
      (await company.call('jobs_create', { customer_id: customer, title: 'Boiler' }))['id'],
    add: (job: string, given: Partial<MediaUpload> = {}, by = caller, storage = files) =>
      addJobMedia({ database, storage }, by, job, { name: 'photo.jpg', type: 'image/jpeg', content: JPEG, ...given }),
    remove: (job: string, id: string, by = caller) => removeJobMedia(database, by, job, id),
    open: (job: string, id: string, by = caller) => openJobMedia({ database, storage: files }, by, job, id),
    mediaOf: async (job: string): Promise<Record<string, unknown>[]> =>
      (await company.call('jobs_get', { id: job }))['media'],
    /** Returns the names of a job's files in storage. */
    stored: async (job: string): Promise<string[]> => readdir(join(directory, company.tenant, job)).catch(() => []),
    history: (job: string) =>
      inTenant<{
        tool: string
        user_id: string
        credential_id: string
        changed: object
      }>(sql`select tool, user_id, credential_id, changed from audit
  where tenant_id = ${company.tenant} and record_type = 'job' and record_id = ${job} and tool like '%media' order by at, id`),
    /** Counts the files that wait for deletion from storage. */
    waiting: async (): Promise<number> =>
      (await inTenant(sql`select storage_key from file_removals where tenant_id = ${company.tenant}`)).length,
    /** Runs the worker `later` by the clock and returns its log messages. */
    async work(storage = files, later: Temporal.DurationLike = { seconds: 1 }): Promise<string[]> {
      const { log, lines } = captureLines()
      const shop = {
        database,
        log,
        clock: () => Temporal.Now.instant().add(later),
        stopping: new AbortController().signal,
      }
      const chores = [fileRemovalTask(storage)]
      await enrollAll(shop, chores)
      await runDue(shop, chores)
      return lines.map(({ err }) => err?.message ?? '')
    },
    stop: async (): Promise<void> => {
      await service.stop()
      await rm(directory, { recursive: true })
    },
  }
}
