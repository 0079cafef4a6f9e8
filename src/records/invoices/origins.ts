import { html, when, type Html } from '../../platform/html/html.ts'
import { say } from '../../platform/i18n/say.ts'
import { recordLink } from '../page/links.ts'
import { part, statusTag } from '../page/parts.ts'
import type { PageContext } from '../page/page_context.ts'
import { listJobNames } from '../jobs/index.ts'
import { findPlanName } from '../plans/index.ts'
import { quoteLinks } from '../quotes/index.ts'
import type { Invoice } from './fields.ts'

/** Renders the jobs, quote and plan that an invoice came from, as far as this person may see them. */
export async function originsHtml(context: PageContext, { job_ids, quote_id, plan_id }: Invoice): Promise<Html | ''> {
  const [jobs, quotes, plan] = await Promise.all([
    context.may('read:jobs') ? context.read((db) => listJobNames(db, job_ids)) : [],
    quoteLinks(context, quote_id),
    plan_id === null || !context.may('read:plans') ? undefined : context.read((db) => findPlanName(db, plan_id)),
  ])
  const links = [
    ...jobs.map(
      (job) =>
        html`${recordLink(context, 'jobs', job.id, `${job.display_number} ${job.title}`)} ${statusTag(job.status)}`,
    ),
    ...quotes,
    ...(plan === undefined
      ? []
      : [html`${recordLink(context, 'plans', plan.id, plan.name)} ${statusTag(plan.status)}`]),
  ]
  return when(links.length > 0, () =>
    part(say`Created from`, html`<ul class="links">${links.map((link) => html`<li>${link}</li>`)}</ul>`),
  )
}
