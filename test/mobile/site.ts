import { writeTenant, type Db } from '../../src/platform/db/tenant.ts'
import { ZONE } from '../harness/messaging/phones.ts'
import { findJob, type Job } from '../../src/records/jobs/index.ts'
import { openOffice, type Office } from '../harness/identity/people_pages.ts'
import type { TestService } from '../harness/harness.ts'

export type CrewScene = Awaited<ReturnType<typeof openCrewScene>>

/** Creates a company with an office, two technicians with browsers, and functions that create their visits. */
export async function openCrewScene(service: TestService, name: string, zone = ZONE) {
  const office = await openOffice(service, name, zone)
  const [ben, cy] = [await office.signInMember('tech'), await office.signInMember('tech')]
  const within = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
    writeTenant(service.database, { tenant: office.id }, work)
  return {
    office,
    owner: { user: office.owner.user_id },
    ben: { user: ben.user_id, browser: ben.browser },
    cy: { user: cy.user_id, browser: cy.browser },
    within,
    visit: (title: string, more: object = {}): Promise<Job> => visitOf(office, within, title, more),
  }
}

async function visitOf(
  office: Office,
  within: <T>(work: (db: Db) => Promise<T>) => Promise<T>,
  title: string,
  more: object,
): Promise<Job> {
  const { id: customer_id } = await office.customer('Maria', { last_name: 'Lopez' })
  const { id } = await office.call('jobs_create', { customer_id, title, ...more })
  return within((db) => findJob(db, String(id)))
}

/** Returns an instant of a day in June 2026, by hour and minute in UTC. */
export const at = (hour: number, minute = 0, day = 2): string =>
  new Date(Date.UTC(2026, 5, day, hour, minute)).toISOString()
