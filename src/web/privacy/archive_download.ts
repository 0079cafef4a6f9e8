import { auditChange } from '../../identity/audit.ts'
import { requireOwner as requireStillOwner } from '../../identity/permissions/rights.ts'
import { entryOf } from '../../identity/credentials/caller.ts'
import { newFairQueue } from '../../platform/db/connections/fair_queue.ts'
import { writeTenant, type Db } from '../../platform/db/tenant.ts'
import { writeArchive } from '../../privacy/export/archive.ts'
import type { ArchiveScope } from '../../privacy/export/scope.ts'
import { openSpool } from '../../privacy/export/spool.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import type { MemberContext } from '../member_context.ts'
import type { Site } from '../site.ts'

/** Subject of an archive, and the kind in its file name. */
type ArchiveRequest = {
  kind: 'customer' | 'member'
  subject: string
  scope: (db: Db) => Promise<ArchiveScope>
  /** True if only an owner may have it; people may also have their own data. */
  isOwners: boolean
}

/**
 * Returns a function that spools an archive to a temporary file and then sends it. Companies take turns, so that none
 * waits for all archives of another. Throws `Unavailable` if too many wait.
 */
export function openArchiveSender(site: Site) {
  const inTurn = newFairQueue({
    maxRunning: 2,
    maxPerCompany: 16,
    maxTotal: 64,
    refusal: 'Too many archives are waiting to be made',
  })
  return (context: MemberContext, archiveRequest: ArchiveRequest): Promise<Response> =>
    inTurn(context.company.id, () => makeArchive(context, archiveRequest))

  async function makeArchive(
    context: MemberContext,
    { kind, subject, scope, isOwners }: ArchiveRequest,
  ): Promise<Response> {
    const spool = await openSpool()
    try {
      const by = { user: context.user.id }
      await context.withCaller((caller) =>
        writeTenant(site.database, entryOf(caller), async (db) => {
          if (isOwners) await requireStillOwner(db, by)
          await scope(db)
          await db.run(auditChange(db.tenant, by, `${kind}s.export`, subject, {}))
        }),
      )
      await writeArchive({
        database: site.database,
        storage: site.storage,
        tenant: context.company.id,
        scope,
        sink: spool.sink,
      })
      return fileResponse(
        `${kind}-${todayIn(context.company.timezone).toString()}.zip`,
        spool.size(),
        streamSpool(spool),
      )
    } catch (error) {
      await spool.release()
      throw error
    }
  }
}

/** Returns a response that downloads a file. */
export const fileResponse = (name: string, bytes: number, body: AsyncIterable<Uint8Array>): Response =>
  new Response(ReadableStream.from(body) as ReadableStream<Uint8Array>, {
    headers: {
      'Content-Type': 'application/zip',
      'Content-Length': String(bytes),
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  })

async function* streamSpool(spool: Awaited<ReturnType<typeof openSpool>>): AsyncGenerator<Uint8Array> {
  try {
    yield* spool.read()
  } finally {
    await spool.release()
  }
}
