import { findJob, type Job } from '../../entities/jobs/index.ts'
import { noteOpenItems, openItemsOf } from '../../field/checklists/answering.ts'
import { answer } from '../../html/answer.ts'
import { button, linkButton } from '../../html/button.ts'
import { hidden } from '../../html/field.ts'
import { html } from '../../html/html.ts'
import { say, sayCount } from '../../language/say.ts'
import { frame } from '../frame.ts'
import type { MemberContext } from '../member_context.ts'
import { byWhom } from './opened.ts'

/** Says how a visit is finished: by a form that is sent to an address, with these fields. */
export type Finishing = { job: string; action: string; fields: Readonly<Record<string, string>> }

/** Is what is still to be noted once the visit is finished, or the page that asks first. */
export type Finish = { page: Response } | { note(): Promise<void> }

/** Asks before a visit is finished with required items open; somebody who says so finishes it all the same, and is named. */
export async function finishing(context: MemberContext, sent: URLSearchParams, how: Finishing): Promise<Finish> {
  const job = await context.read((db) => findJob(db, how.job))
  const open = job.status === 'done' ? [] : await context.read((db) => openItemsOf(db, job))
  if (open.length === 0) return { note: () => Promise.resolve() }
  if (sent.get('anyway') !== 'yes') return { page: askingPage(context, job, open, how) }
  return { note: () => context.write((db) => noteOpenItems(db, job, byWhom(context))) }
}

const askingPage = (
  context: MemberContext,
  job: Job,
  open: readonly string[],
  { action, fields }: Finishing,
): Response =>
  answer(
    frame(context, {
      title: say`Finish anyway?`,
      here: context.path('jobs'),
      width: 'narrow',
      body: html`
<section class="ticket">
  <p class="eyebrow">${job.display_number} ${job.title}</p>
  <h1>${say`Finish anyway?`}</h1>
  <p class="lead">${sayCount(open.length, 'One required item of the checklist is open:', '{0} required items of the checklist are open:')}</p>
  <ul>${open.map((text) => html`<li>${text}</li>`)}</ul>
  <form class="form" method="post" action="${action}">
    ${Object.entries(fields).map(([name, value]) => hidden(name, value))}${hidden('anyway', 'yes')}
    <p class="actions">${linkButton(say`Open the checklist`, `${context.path('jobs', job.id)}#checklists`, 'main')}${button({ label: say`Finish anyway` })}</p>
  </form>
</section>`,
    }),
    { status: 409 },
  )
