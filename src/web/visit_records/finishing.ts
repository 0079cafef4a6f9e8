import { auditOpenItems } from '../../mobile/checklists/answering.ts'
import { endOwnTime, listOpenVisits, startOwnTime, type OpenVisit } from '../../mobile/finishing.ts'
import { visitsWithOpenTime } from '../../mobile/time/entry.ts'
import { pageResponse } from '../../platform/http/answer.ts'
import { button, linkButton } from '../../platform/html/parts/button.ts'
import { hidden } from '../../platform/html/parts/field.ts'
import { html } from '../../platform/html/html.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import { frame } from '../frame.ts'
import type { MemberContext } from '../member_context.ts'
import { toAuthor } from './job_context.ts'

/** Visits to finish, with the action and fields of the form that confirms it. */
export type FinishRequest = { jobs: readonly string[]; action: string; fields: Iterable<readonly [string, string]> }

/** Work to do after the visit is finished, or the page that asks for confirmation first. */
export type Finish = { page: Response } | { close(finished?: string): Promise<void> }

/**
 * Asks for confirmation before visits with open required items are finished; a user who confirms is recorded. `close`
 * then ends the user's own time on the visit `finished`, or on all.
 */
export async function prepareFinish(
  context: MemberContext,
  sent: URLSearchParams,
  finishRequest: FinishRequest,
): Promise<Finish> {
  const openVisits = await context.read((db) => listOpenVisits(db, finishRequest.jobs))
  if (openVisits.length > 0 && sent.get('anyway') !== 'yes')
    return { page: confirmationPage(context, openVisits, finishRequest) }
  return {
    close: async (finished) => {
      for (const { job } of openVisits.filter(({ job }) => finished === undefined || job.id === finished))
        await context.write((db) => auditOpenItems(db, job, toAuthor(context)))
      await closeOwnTime(context, finished === undefined ? finishRequest.jobs : [finished])
    },
  }
}

/**
 * Prepares a status change of one visit: "Done" as above, while "In progress" starts the user's clock if the visit is
 * theirs. Returns undefined for any other step.
 */
export async function prepareStep(
  context: MemberContext,
  to: unknown,
  sent: URLSearchParams,
  finishRequest: FinishRequest,
): Promise<Finish | undefined> {
  if (to === 'done') return prepareFinish(context, sent, finishRequest)
  return to === 'in_progress'
    ? { close: () => context.write((db) => startOwnTime(db, finishRequest.jobs[0]!, toAuthor(context))) }
    : undefined
}

/** Ends the user's own time on the visits where it is running or paused. */
async function closeOwnTime(context: MemberContext, jobs: readonly string[]): Promise<void> {
  const by = toAuthor(context)
  const openVisits = await context.read((db) => visitsWithOpenTime(db, jobs, by.user))
  if (openVisits.length > 0) await context.write((db) => endOwnTime(db, openVisits, by))
}

const confirmationPage = (
  context: MemberContext,
  visits: readonly OpenVisit[],
  { action, fields }: FinishRequest,
): Response =>
  pageResponse(
    frame(context, {
      title: say`Finish anyway?`,
      here: context.path('jobs'),
      width: 'narrow',
      body: html`
<section class="ticket">
  <h1>${say`Finish anyway?`}</h1>${visits.map(
    ({ job, open }) => html`
  <p class="eyebrow">${job.display_number} ${job.title}</p>
  <p class="lead">${sayCount(
    open.length,
    'One required item of the checklist is open:',
    '{0} required items of the checklist are open:',
  )}</p>
  <ul>${open.map((text) => html`<li>${text}</li>`)}</ul>
  <p>${linkButton(say`Open the checklist`, `${context.path('jobs', job.id)}#checklists`, 'plain')}</p>`,
  )}
  <form class="form" method="post" action="${action}">
    ${[...fields].filter(([name]) => name !== 'anyway').map(([name, value]) => hidden(name, value))}${hidden(
      'anyway',
      'yes',
    )}
    <p class="actions">${button({ label: say`Finish anyway` })}</p>
  </form>
</section>`,
    }),
    { status: 409 },
  )
