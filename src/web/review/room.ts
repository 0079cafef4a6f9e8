import { HTTPException } from 'hono/http-exception'
import { answer } from '../../html/answer.ts'
import type { Html } from '../../html/html.ts'
import { layout } from '../../html/layout.ts'
import type { Visit } from '../../html/visit.ts'
import { deskOf } from '../../access/people/review_scope.ts'
import type { Desk } from '../../access/people/review_scope.ts'
import type { Refusal } from '../../refusal.ts'
import { requireDesk } from '../desk.ts'
import { statusOf } from '../faults.ts'
import { frame } from '../frame.ts'
import { notHere } from '../not_here.ts'
import { requirePerson } from '../sign_in/session.ts'
import type { Site } from '../site.ts'

/** What waits for a person: of one company before its owner, of the whole installation before an operator. */
export type Room = {
  desk: Desk
  /** Where its pages lie. */
  base: string
  zone: string
  page(title: string, body: Html, refusal?: Refusal): Response
}

/** The room of an owner. To others there is no such page. */
export async function ownersRoom(site: Site, visit: Visit): Promise<Room> {
  const desk = await requireDesk(site, visit)
  const base = desk.path('review')
  return {
    desk: await present(site, desk.user.id, desk.company.id), base, zone: desk.company.timezone,
    page: (title, body, refusal) => answer(frame(desk, { title, body, here: base }), statusFor(refusal)),
  }
}

/** The room of an operator of the installation. */
export async function operatorsRoom(site: Site, visit: Visit): Promise<Room> {
  const { user } = await requirePerson(site, visit)
  return {
    desk: await present(site, user.id, null), base: '/operator', zone: 'UTC',
    page: (title, body, refusal) => answer(layout({ title, body, person: user, width: 'full' }), statusFor(refusal)),
  }
}

async function present({ database }: Site, user: string, tenant: string | null): Promise<Desk> {
  const desk = await deskOf(database, user, tenant)
  if (desk === null) throw new HTTPException(404, { res: notHere() })
  return desk
}

const statusFor = (refusal: Refusal | undefined): { status: number } => ({ status: refusal === undefined ? 200 : statusOf(refusal) })
