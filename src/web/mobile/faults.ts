import { HttpRefusal } from '../../platform/errors/http_refusal.ts'
import { Unavailable } from '../../platform/errors/refusal.ts'
import { say } from '../../platform/i18n/say.ts'
import { warningForPeople } from '../../platform/i18n/refusal_for_people.ts'
import { newId } from '../../platform/validation/id.ts'
import { refusals } from '../refusals.ts'
import type { Site } from '../site.ts'
import { fieldRefusal } from './member.ts'

/** Runs work, and turns an internal error into a response that makes the phone retry later. */
export async function catchFaults<T>(site: Site, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof HttpRefusal) throw error
    const reference = newId()
    const isBusy = error instanceof Unavailable
    if (!(isBusy && error.isExpected)) site.report(reference, error)
    const headers = { 'Retry-After': String(isBusy ? error.seconds : 5) }
    if (isBusy) throw fieldRefusal(503, 'unavailable', say`The service is busy. Try again in a moment.`, { headers })
    throw fieldRefusal(500, 'internal', warningForPeople(refusals.unexpected({ reference })), { headers })
  }
}
