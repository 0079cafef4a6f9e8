import { isOffice } from '../../identity/permissions/areas.ts'
import type { Html } from '../../platform/html/html.ts'
import type { Scope } from '../../identity/permissions/scopes.ts'
import { findJob, type Job } from '../../records/jobs/index.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { utc } from '../../platform/validation/formats/instants.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { notFoundRefusal } from '../not_found.ts'
import type { Site } from '../site.ts'

/** Job, for the pages of its visit records. */
export type JobContext = { context: MemberContext; job: Job; there: string }

/** Records of one kind on a visit, and the control that starts them if there are none. */
export type VisitRecord = { part: Html | ''; start: Html | '' }

/** Returns the job in the path for a user with these scopes; throws a 404 for others. */
export async function openJob(site: Site, request: PageRequest, ...scopes: readonly Scope[]): Promise<JobContext> {
  const context = await requireMemberContext(site, request)
  if (!context.may('read:jobs') || scopes.some((scope) => !context.may(scope))) throw notFoundRefusal()
  const job = await context.read((db) => findJob(db, request.req.param('id')!))
  return { context, job, there: context.path('jobs', job.id) }
}

export const toAuthor = ({ user }: MemberContext): { user: string } => ({ user: user.id })

/** Checks the right to see and correct all members' time; technicians see only their own. */
export const maySeeAllTime = ({ session }: MemberContext): boolean => isOffice(session)

export const nowText = (): string => utc(Temporal.Now.instant())
