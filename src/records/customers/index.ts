export { makeCustomer } from './create.ts'
export {
  customersNamed,
  engageCustomer,
  findCustomer,
  holdCustomer,
  lockCustomer,
  mayMerge,
  requireOwner,
} from './customer.ts'
export type { Customer } from './fields.ts'
