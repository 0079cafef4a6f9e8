export { makeCustomer } from './create.ts'
export { engageCustomer, findCustomer, holdCustomer, lockCustomer, mayMerge, requireOwner } from './customer.ts'
export type { Customer } from './customer.ts'
