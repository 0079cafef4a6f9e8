import { makeCompany, type Company, type Result, type TestService } from '../harness/harness.ts'

/** Arguments of a person, by full name. */
export const person = (name: string, more: object = {}) => {
  const [first_name, ...rest] = name.split(' ')
  return { customer_type: 'individual', first_name, ...(rest.length > 0 ? { last_name: rest.join(' ') } : {}), ...more }
}
/** Arguments of a company. */
export const firm = (company_name: string, more: object = {}) => ({ customer_type: 'company', company_name, ...more })
/** Returns the names in a list of customers. */
export const namesOf = ({ rows }: Result): string[] => rows.map(({ display_name }: Result) => display_name)
/** Returns the names that a search finds. */
export const searchNames = async ({ call }: Company, given: object): Promise<string[]> =>
  namesOf(await call('customers_search', given))

/** Makes a company with these customers. */
export async function companyWith(service: TestService, ...customers: object[]): Promise<Company> {
  const company = await makeCompany(service)
  for (const customer of customers) await company.call('customers_create', customer)
  return company
}
