import type { PeriodicTask } from '../periodic_task.ts'
import { ENROLLMENT, enrollTasks } from '../../platform/leases/lease.ts'
import { daily } from '../schedule.ts'

/** Returns the task that enrolls a new tenant in all tasks, and daily in tasks new to this version. */
export const enrollmentTask = (tasks: readonly PeriodicTask[]): PeriodicTask => ({
  name: ENROLLMENT,
  of: 'tenant',
  next: daily('03:30'),
  run: async ({ now, tenant, write }) => {
    const names = tasks.filter(({ of }) => of === 'tenant').map(({ name }) => name)
    await write((db) => db.run(enrollTasks([], names, now, tenant.id)))
  },
})
