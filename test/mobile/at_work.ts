import type { Result, TestService } from '../harness/harness.ts'
import { openOffice, type Office } from '../harness/identity/people_pages.ts'
import { ZONE, phoneOf, today, type Phone } from '../harness/messaging/phones.ts'
import { startSite } from '../harness/web_client.ts'

/** A company with a technician's phone, a customer, and a function that books visits at nine o'clock today. */
export type AtWork = {
  service: TestService
  office: Office
  luis: Phone
  ann: Result
  book(title?: string, more?: object): Promise<Result>
  jobNow(job: Result): Promise<Result>
}

export async function openAtWork(customer: object = {}): Promise<AtWork> {
  const service = await startSite()
  const office = await openOffice(service, 'Alder Plumbing', ZONE)
  const { user_id, browser } = await office.signInMember('tech')
  const luis = phoneOf(service, office, user_id, browser)
  const ann = await office.customer('Ann', customer)
  return {
    service,
    office,
    luis,
    ann,
    book: (title = 'Leak', more = {}) =>
      office.call('jobs_create', {
        customer_id: ann.id,
        title,
        scheduled_start: `${today()}T09:00`,
        assignees: [luis.user],
        ...more,
      }),
    jobNow: (job) => office.call('jobs_get', { id: job.id }),
  }
}
