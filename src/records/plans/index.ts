export { activePlansOf, duePlans, expirePlans, findPlanName as planNamed, runPlan } from './plan.ts'
export type { Plan } from './fields.ts'
