export { activePlansOf, duePlans, expirePlans, findPlanName, runPlan } from './plan.ts'
export { listPlansSelling as plansSelling, repricePlan, totalWithPrice as totalWith } from './reprice.ts'
export { listEndingPlans } from './agreement.ts'
