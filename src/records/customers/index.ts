export { makeCustomer } from './create.ts'
export {
  customersNamed,
  activateCustomer,
  findCustomer,
  lockAnyCustomer,
  lockCustomer,
  mayMerge,
  requireCustomer,
} from './customer.ts'
export { findCustomersByName } from './search/by_name.ts'
export type { CustomerName } from './search/by_name.ts'
export { countOwnedRecords } from './merge/owned_counts.ts'
export type { OwnedCounts } from './merge/owned_counts.ts'
export type { Customer } from './fields.ts'
