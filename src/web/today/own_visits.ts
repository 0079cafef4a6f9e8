import { listOwnVisits, type OwnVisit } from '../../records/jobs/index.ts'
import type { MemberContext } from '../member_context.ts'

/** Returns a member's own visits of a day by time; phone and access notes only for those who may see customers. */
export const ownVisits = (context: MemberContext, day: string): Promise<OwnVisit[]> =>
  context.read((db) =>
    listOwnVisits(db, {
      user: context.user.id,
      timezone: context.company.timezone,
      day,
      showsContact: context.may('read:customers'),
    }),
  )
