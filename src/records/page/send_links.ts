import { say } from '../../platform/i18n/say.ts'
import type { PageContext } from './page_context.ts'
import type { ActionLink } from './screen.ts'

type Sendable = { id: string; status: string }

/** Lists the statuses in which a customer is not shown a document. */
const CLOSED: ReadonlySet<string> = new Set(['void', 'declined', 'expired', 'archived'])

/** Links a document to the page that sends it, which is the main thing to do with a draft. */
export const sendLinks = (context: PageContext, topic: 'invoices' | 'quotes', { id, status }: Sendable): ActionLink[] =>
  context.may(`write:${topic}`) && context.may('read:customers') && !CLOSED.has(status)
    ? [{ label: labelFor(status), href: context.path(topic, id, 'send'), kind: status === 'draft' ? 'main' : 'plain' }]
    : []

function labelFor(status: string): string {
  if (status === 'draft') return say`Send`
  return status === 'paid' ? say`Send receipt` : say`Resend`
}
