import { say } from '../../platform/i18n/say.ts'
import type { PageContext } from './page_context.ts'
import type { ActionLink } from './screen.ts'

type Sendable = { id: string; status: string }

/** Statuses in which a customer can't see the document. */
const CLOSED: ReadonlySet<string> = new Set(['void', 'declined', 'expired', 'archived'])

/** Returns the link to the page that sends a document; it is the main action of a draft. */
export const sendLinks = (context: PageContext, topic: 'invoices' | 'quotes', { id, status }: Sendable): ActionLink[] =>
  context.may(`write:${topic}`) && context.may('read:customers') && !CLOSED.has(status)
    ? [{ label: labelFor(status), href: context.path(topic, id, 'send'), kind: status === 'draft' ? 'main' : 'plain' }]
    : []

function labelFor(status: string): string {
  if (status === 'draft') return say`Send`
  return status === 'paid' ? say`Send receipt` : say`Resend`
}
