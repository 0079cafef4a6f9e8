import { answer } from '../../html/answer.ts'
import type { Html } from '../../html/html.ts'
import { layout } from '../../html/layout.ts'
import type { Visit } from '../../html/visit.ts'
import { reviewScopeOf, type ReviewScope } from '../../access/people/review_scope.ts'
import type { Refusal } from '../../refusal.ts'
import { requireMemberContext } from '../member_context.ts'
import { statusOf } from '../faults.ts'
import { frame } from '../frame.ts'
import { noPage } from '../not_here.ts'
import { requirePerson } from '../sign_in/session.ts'
import type { Site } from '../site.ts'

/** What waits for a person: of one company before its owner, of the whole installation before an operator. */
export type ReviewQueue = {
  scope: ReviewScope
  /** Where its pages lie. */
  base: string
  zone: string
  page(title: string, body: Html, refusal?: Refusal): Response
}

/** The room of an owner. To others there is no such page. */
export async function ownersRoom(site: Site, visit: Visit): Promise<ReviewQueue> {
  const context = await requireMemberContext(site, visit)
  const base = context.path('review')
  return {
    scope: await present(site, context.user.id, context.company.id), base, zone: context.company.timezone,
    page: (title, body, refusal) => answer(frame(context, { title, body, here: base }), statusFor(refusal)),
  }
}

/** The room of an operator of the installation. */
export async function operatorsRoom(site: Site, visit: Visit): Promise<ReviewQueue> {
  const { user } = await requirePerson(site, visit)
  return {
    scope: await present(site, user.id, null), base: '/operator', zone: 'UTC',
    page: (title, body, refusal) => answer(layout({ title, body, person: user, width: 'full' }), statusFor(refusal)),
  }
}

async function present({ database }: Site, user: string, tenant: string | null): Promise<ReviewScope> {
  const scope = await reviewScopeOf(database, user, tenant)
  if (scope === null) throw noPage()
  return scope
}

const statusFor = (refusal: Refusal | undefined): { status: number } => ({ status: refusal === undefined ? 200 : statusOf(refusal) })
