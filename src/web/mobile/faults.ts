import { HttpRefusal } from '../../platform/errors/http_refusal.ts'
import { Unavailable } from '../../platform/errors/refusal.ts'
import { newId } from '../../platform/validation/id.ts'
import type { Site } from '../site.ts'
import { fieldRefusal } from './member.ts'

/** Answers a fault of ours so that the phone sends the same again in a while. */
export async function catchFaults<T>(site: Site, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof HttpRefusal) throw error
    const reference = newId()
    const isBusy = error instanceof Unavailable
    if (!(isBusy && error.isExpected)) site.report(reference, error)
    const headers = { 'Retry-After': String(isBusy ? error.seconds : 5) }
    if (isBusy) throw fieldRefusal(503, 'unavailable', 'The service is busy; send the same again', { headers })
    throw fieldRefusal(500, 'internal', `Something went wrong (reference ${reference}); send the same again`, {
      headers,
    })
  }
}
