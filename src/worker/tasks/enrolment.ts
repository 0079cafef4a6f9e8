import type { Chore } from '../chore.ts'
import { ENROLMENT, enrol } from '../lease.ts'
import { daily } from '../schedule.ts'

/** Enrolls the chores of a new tenant, and daily those that an older version didn't know. */
export const enrolment = (chores: readonly Chore[]): Chore => ({
  name: ENROLMENT,
  of: 'tenant',
  next: daily('03:30'),
  run: async ({ now, tenant, write }) => {
    const names = chores.filter(({ of }) => of === 'tenant').map(({ name }) => name)
    await write((db) => db.run(enrol([], names, now, tenant.id)))
  },
})
