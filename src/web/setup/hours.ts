import { readFormFields } from '../../platform/http/form.ts'
import { button } from '../../platform/html/parts/button.ts'
import { html, type Html } from '../../platform/html/html.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import { hoursOf, saveCompanyWeek } from '../../scheduling/hours.ts'
import { DEFAULT_WEEK, WEEKDAYS, readSpans } from '../../scheduling/week.ts'
import type { MemberContext } from '../member_context.ts'
import { readDaySpans, weekFields } from '../settings/company/week_fields.ts'
import { catchRefusal, requireOwner } from '../settings/settings_page.ts'
import type { Site } from '../site.ts'
import { redirectToNextStep, stepPage, type StepView } from './step_page.ts'

const companyHours = (context: MemberContext) =>
  context.read((db) => hoursOf(db, null, todayIn(context.company.timezone).toString()))

export async function drawHours({ context, form }: StepView): Promise<Html> {
  const { week } = await companyHours(context)
  return html`
  <form class="form" method="post" action="${context.path('setup', 'hours')}">
    ${weekFields(week ?? DEFAULT_WEEK, form)}
    <p class="help">${say`Leave both times empty for a day off.`}</p>
    <p class="actions">${button({ label: say`Save and continue`, kind: 'main' })}</p>
  </form>`
}

export async function saveSetupHours(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwner(site, request)
  const sent = await readFormFields(request.req.raw)
  return catchRefusal(
    async () => {
      const week = WEEKDAYS.map((name) => readSpans(readDaySpans(sent, name), name))
      const { travel_minutes } = await companyHours(context)
      await context.write((db) => saveCompanyWeek(db, week, { travel_minutes }, { user: context.user.id }))
      return redirectToNextStep(context, 'hours')
    },
    (refusal) => {
      const view = { site, context, form: sent }
      return stepPage('hours', view, drawHours(view), refusal)
    },
  )
}
