export { activePlansOf, duePlans, expirePlans, planNamed, runPlan } from './plan.ts'
export type { Plan } from './plan.ts'
