import { say } from '../language/say.ts'
import type { PageContext } from './page_context.ts'
import type { Way } from './screen.ts'

type Sendable = { id: string; status: string; owner_id?: string }

/** Lists the statuses in which a customer is not shown a document. */
const CLOSED: ReadonlySet<string> = new Set(['void', 'declined', 'expired', 'archived'])

/** Links a document to the page that sends it, which is the main thing to do with a draft; a quote is its owner's to send. */
export const sendWays = (
  context: PageContext,
  topic: 'invoices' | 'quotes',
  { id, status, owner_id = context.user.id }: Sendable,
): Way[] =>
  context.may(`write:${topic}`) && context.may('read:customers') && owner_id === context.user.id && !CLOSED.has(status)
    ? [{ label: labelFor(status), href: context.path(topic, id, 'send'), kind: status === 'draft' ? 'main' : 'plain' }]
    : []

function labelFor(status: string): string {
  if (status === 'draft') return say`Send`
  return status === 'paid' ? say`Send receipt` : say`Resend`
}
