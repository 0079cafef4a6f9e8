import { say } from '../language/say.ts'
import type { PageContext } from './page_context.ts'
import type { Way } from './screen.ts'

/** Links a document to the page that sends it; the main thing to do with a draft. */
export const sendWays = (
  context: PageContext,
  topic: 'invoices' | 'quotes',
  id: string,
  isOpen: boolean,
  isDraft: boolean,
): Way[] =>
  isOpen && context.may(`write:${topic}`) && context.may('read:customers')
    ? [
        {
          label: isDraft ? say`Send` : say`Resend`,
          href: context.path(topic, id, 'send'),
          kind: isDraft ? 'main' : 'plain',
        },
      ]
    : []
