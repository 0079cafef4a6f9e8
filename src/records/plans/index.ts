export { activePlansOf, duePlans, expirePlans, findPlanName, runPlan } from './plan.ts'
export { listPlansSelling, repricePlan, totalWithPrice } from './reprice.ts'
export { listEndingPlans } from './agreement.ts'
