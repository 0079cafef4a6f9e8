import { makeCompany, startTestService, type Result } from '../harness.ts'

/** Start of a visit: nine o'clock on a Tuesday. */
export const START = '2027-03-02T09:00'

export type Booking = Awaited<ReturnType<typeof startBooking>>

/** Starts a company with a customer who has two service locations, and a customer who must not be served. */
export async function startBooking() {
  const service = await startTestService()
  const company = await makeCompany(service)
  const customer = await company.call('customers_create', {
    customer_type: 'individual',
    first_name: 'Ana',
    status: 'lead',
    phone: '(512) 555-0143',
    contacts: [{ first_name: 'Ben', phone: '(512) 555-0144' }],
    locations: [
      { address_line1: '1 Bill St', type: 'billing' },
      { address_line1: '1 Elm St', city: 'Austin' },
      { address_line1: '2 Oak St' },
    ],
  })
  const other = await company.call('customers_create', {
    customer_type: 'company',
    company_name: 'Other Inc',
    do_not_service: true,
    locations: [{ address_line1: '9 Far Rd' }],
    contacts: [{ first_name: 'Cy' }],
  })

  const tuneUp = (given: object) => ({ customer_id: customer.id, title: 'Tune-up', ...given })
  return {
    service,
    company,
    customer,
    other,
    book: (given: object = {}): Promise<Result> => company.call('jobs_create', tuneUp(given)),
    refused: (given: object): Promise<string> => company.refusal('jobs_create', tuneUp(given)),
    update: (id: string, patch: object): Promise<Result> => company.call('jobs_update', { id, ...patch }),
  }
}
