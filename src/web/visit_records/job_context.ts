import { isOffice } from '../../identity/permissions/areas.ts'
import type { Html } from '../../platform/html/html.ts'
import type { Scope } from '../../identity/permissions/scopes.ts'
import { findJob, type Job } from '../../records/jobs/index.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { utc } from '../../platform/validation/formats/instants.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { notFoundRefusal } from '../not_found.ts'
import type { Site } from '../site.ts'

/** A job, for a page of its visit records. */
export type JobContext = { context: MemberContext; job: Job; there: string }

/** What was recorded of one kind on a visit, and the way to begin where nothing was. */
export type VisitRecord = { part: Html | ''; start: Html | '' }

/** Returns the job of the path for somebody who has these rights; for others there is no such page. */
export async function openJob(site: Site, visit: PageRequest, ...scopes: readonly Scope[]): Promise<JobContext> {
  const context = await requireMemberContext(site, visit)
  if (!context.may('read:jobs') || scopes.some((scope) => !context.may(scope))) throw notFoundRefusal()
  const job = await context.read((db) => findJob(db, visit.req.param('id')!))
  return { context, job, there: context.path('jobs', job.id) }
}

export const toAuthor = ({ user }: MemberContext): { user: string } => ({ user: user.id })

/** Checks whether somebody sees and corrects the time of all members; a technician their own. */
export const maySeeAllTime = ({ visitor }: MemberContext): boolean => isOffice(visitor)

export const nowText = (): string => utc(Temporal.Now.instant())
