import type { Chore } from './chore.ts'
import { ENROLMENT, enrol } from './lease.ts'
import { daily } from './schedule.ts'

/** Puts down the chores of a new tenant; every day, for a tenant that an older version enrolled meanwhile. */
export const enrolment = (chores: readonly Chore[]): Chore => ({
  name: ENROLMENT, of: 'tenant', next: daily('03:30'),
  run: async ({ now, tenant, write }) => {
    const names = chores.filter(({ of }) => of === 'tenant').map(({ name }) => name)
    await write((db) => db.run(enrol([], names, now, tenant.id)))
  },
})
