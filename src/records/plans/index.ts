export { activePlansOf, duePlans, expirePlans, findPlanName as planNamed, runPlan } from './plan.ts'
export { plansSelling, repricePlan, totalWith } from './reprice.ts'
export { listEndingPlans } from './agreement.ts'
