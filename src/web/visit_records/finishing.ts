import type { Db } from '../../platform/db/tenant.ts'
import { findJob, type Job } from '../../records/jobs/index.ts'
import { noteOpenItems, listOpenItems } from '../../mobile/checklists/answering.ts'
import { visitsWithOpenTime } from '../../mobile/time/entry.ts'
import { autoStartTime } from '../../mobile/time/auto_clock.ts'
import { stopTime } from '../../mobile/time/tracking.ts'
import { answer } from '../../platform/http/answer.ts'
import { button, linkButton } from '../../platform/html/parts/button.ts'
import { hidden } from '../../platform/html/parts/field.ts'
import { html } from '../../platform/html/html.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { frame } from '../frame.ts'
import type { MemberContext } from '../member_context.ts'
import { toAuthor, nowText } from './job_context.ts'

/** Says how visits are finished: by a form that is sent to an address, with these fields. */
export type FinishRequest = { jobs: readonly string[]; action: string; fields: Iterable<readonly [string, string]> }

/** Is what is still to be done once the visit is finished, or the page that asks first. */
export type Finish = { page: Response } | { close(finished?: string): Promise<void> }

/**
 * Asks before visits are finished with required items open; somebody who says so finishes them all the same, and is named.
 * Afterwards their own time on the visit ends: on the one that is named, or on all.
 */
export async function prepareFinish(
  context: MemberContext,
  sent: URLSearchParams,
  how: FinishRequest,
): Promise<Finish> {
  const open = await openIn(context, how.jobs)
  if (open.length > 0 && sent.get('anyway') !== 'yes') return { page: askingPage(context, open, how) }
  return {
    close: async (finished) => {
      for (const { job } of open.filter(({ job }) => finished === undefined || job.id === finished))
        await context.write((db) => noteOpenItems(db, job, toAuthor(context)))
      await endOwnTime(context, finished === undefined ? how.jobs : [finished])
    },
  }
}

/**
 * Prepares a step of one visit on a page: Done as above; "In progress" starts the clock of whoever presses it, if the visit
 * is theirs. Returns undefined for every other step.
 */
export async function prepareStep(
  context: MemberContext,
  to: unknown,
  sent: URLSearchParams,
  how: FinishRequest,
): Promise<Finish | undefined> {
  if (to === 'done') return prepareFinish(context, sent, how)
  return to === 'in_progress' ? { close: () => startOwnTime(context, how.jobs[0]!) } : undefined
}

async function startOwnTime(context: MemberContext, id: string): Promise<void> {
  const by = toAuthor(context)
  const at = nowText()
  await context.write(async (db) => {
    const { assignments } = await findJob(db, id)
    if (assignments.some(({ user_id }) => user_id === by.user)) await autoStartTime(db, { id }, { at, by })
  })
}

/** Ends the presser's own time on the visits where it runs or is paused. */
async function endOwnTime(context: MemberContext, jobs: readonly string[]): Promise<void> {
  const by = toAuthor(context)
  const open = await context.read((db) => visitsWithOpenTime(db, jobs, by.user))
  if (open.length === 0) return
  const at = nowText()
  await context.write(async (db) => {
    for (const id of open) await stopTime(db, { id }, { at, by }, 'end')
  })
}

type OpenVisit = { job: Job; open: readonly string[] }

/** Returns the visits that aren't done and have required items open. */
async function openIn(context: MemberContext, jobs: readonly string[]): Promise<OpenVisit[]> {
  return context.read(async (db) => {
    const found: OpenVisit[] = []
    for (const id of jobs) {
      const visit = await openOf(db, id)
      if (visit !== undefined && visit.open.length > 0) found.push(visit)
    }
    return found
  })
}

/** Returns what is open on a visit; one that isn't there is left to whoever changes it. */
async function openOf(db: Db, id: string): Promise<OpenVisit | undefined> {
  try {
    const job = await findJob(db, id)
    return { job, open: job.status === 'done' ? [] : await listOpenItems(db, job) }
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found') return undefined
    throw error
  }
}

const askingPage = (
  context: MemberContext,
  visits: readonly OpenVisit[],
  { action, fields }: FinishRequest,
): Response =>
  answer(
    frame(context, {
      title: say`Finish anyway?`,
      here: context.path('jobs'),
      width: 'narrow',
      body: html`
<section class="ticket">
  <h1>${say`Finish anyway?`}</h1>${visits.map(
    ({ job, open }) => html`
  <p class="eyebrow">${job.display_number} ${job.title}</p>
  <p class="lead">${sayCount(open.length, 'One required item of the checklist is open:', '{0} required items of the checklist are open:')}</p>
  <ul>${open.map((text) => html`<li>${text}</li>`)}</ul>
  <p>${linkButton(say`Open the checklist`, `${context.path('jobs', job.id)}#checklists`, 'plain')}</p>`,
  )}
  <form class="form" method="post" action="${action}">
    ${[...fields].filter(([name]) => name !== 'anyway').map(([name, value]) => hidden(name, value))}${hidden('anyway', 'yes')}
    <p class="actions">${button({ label: say`Finish anyway` })}</p>
  </form>
</section>`,
    }),
    { status: 409 },
  )
