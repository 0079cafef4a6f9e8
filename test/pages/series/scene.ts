import { openOffice } from '../../harness/identity/people_pages.ts'
import { startSite } from '../../harness/web_client.ts'

export const HOSTILE = '<script>alert(1)</script>"\'&'

const today = (): Temporal.PlainDate => Temporal.Now.plainDateISO('America/New_York')
export const soon = (days = 7): string => today().add({ days }).toString()

/** Starts the service with a company in New York and a customer for recurring jobs. */
export async function openSeriesScene() {
  const service = await startSite()
  const office = await openOffice(service, 'Alder Plumbing')
  const customer = await office.customer('Dora', { last_name: 'Vance' })
  return { service, office, customer }
}
