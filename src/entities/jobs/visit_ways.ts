import { say } from '../../language/say.ts'
import type { PageContext } from '../../screens/page_context.ts'
import type { Way } from '../../screens/screen.ts'
import type { Results } from '../../tools/results.ts'

/** Links a visit to the page that says when somebody comes, and to that which confirms it to the customer. */
export const visitWays = (context: PageContext, { id, status }: Results['jobs_get']): Way[] =>
  status !== 'scheduled' || !context.may('write:jobs')
    ? []
    : [
        { label: say`On my way`, href: context.path('jobs', id, 'on-my-way'), kind: 'main' },
        ...(context.may('read:customers')
          ? [{ label: say`Send confirmation`, href: context.path('jobs', id, 'send') }]
          : []),
      ]
