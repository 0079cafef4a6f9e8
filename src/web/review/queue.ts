import { pageResponse } from '../../platform/http/answer.ts'
import type { Html } from '../../platform/html/html.ts'
import { layout } from '../../platform/html/layout.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { reviewScopeOf, type ReviewScope } from '../../identity/people/review_scope.ts'
import type { Refusal } from '../../platform/errors/refusal.ts'
import { requireMemberContext } from '../member_context.ts'
import { statusOf } from '../faults.ts'
import { frame } from '../frame.ts'
import { notFoundRefusal } from '../not_found.ts'
import { requirePerson } from '../sign_in/session.ts'
import type { Site } from '../site.ts'

/** Review queue: of one company for its owner, or of the whole installation for an operator. */
export type ReviewQueue = {
  scope: ReviewScope
  /** Base path of its pages. */
  base: string
  zone: string
  page(title: string, body: Html, refusal?: Refusal): Response
}

/** Returns the review queue of an owner; throws a 404 for others. */
export async function ownersQueue(site: Site, request: PageRequest): Promise<ReviewQueue> {
  const context = await requireMemberContext(site, request)
  const base = context.path('review')
  return {
    scope: await requireScope(site, context.user.id, context.company.id),
    base,
    zone: context.company.timezone,
    page: (title, body, refusal) => pageResponse(frame(context, { title, body, here: base }), statusFor(refusal)),
  }
}

/** Returns the review queue of an operator of the installation. */
export async function operatorsQueue(site: Site, request: PageRequest): Promise<ReviewQueue> {
  const { user } = await requirePerson(site, request)
  return {
    scope: await requireScope(site, user.id, null),
    base: '/operator',
    zone: 'UTC',
    page: (title, body, refusal) =>
      pageResponse(layout({ title, body, person: user, width: 'full' }), statusFor(refusal)),
  }
}

async function requireScope({ database }: Site, user: string, tenant: string | null): Promise<ReviewScope> {
  const scope = await reviewScopeOf(database, user, tenant)
  if (scope === null) throw notFoundRefusal()
  return scope
}

const statusFor = (refusal: Refusal | undefined): { status: number } => ({
  status: refusal === undefined ? 200 : statusOf(refusal),
})
