import {
  listLaborRates,
  removeLaborRate,
  setLaborRate,
  type LaborRate,
  type MemberRates,
} from '../../../mobile/profit/labor_rates.ts'
import { refusals } from '../../../mobile/profit/refusals.ts'
import { invalidField, type Refusal } from '../../../platform/errors/refusal.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { button } from '../../../platform/html/parts/button.ts'
import { field, hidden, select } from '../../../platform/html/parts/field.ts'
import { table } from '../../../platform/html/parts/table.ts'
import { say } from '../../../platform/i18n/say.ts'
import { parseDay } from '../../../platform/validation/formats/days.ts'
import { todayIn } from '../../../platform/validation/formats/instants.ts'
import { isId } from '../../../platform/validation/id.ts'
import { readMoney } from '../../../records/fields/fields.ts'
import { money, shortDay } from '../../../records/format/formats.ts'
import { part } from '../../../records/page/parts.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import type { MemberContext } from '../../member_context.ts'
import type { Site } from '../../site.ts'
import { catchRefusal, requireOwner, settingsPage, settingsPath } from '../settings_page.ts'

/** Earliest start date of a rate. An earlier one is a mistyped year. */
const EARLIEST_DAY = '2000-01-01'

/** Shows each member's current and past hourly costs. */
export async function showLaborRates(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwner(site, request)
  return ratesPage(context)
}

/** Sets a rate from a day on, or removes one. */
export async function saveLaborRate(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwner(site, request)
  const form = await readFormFields(request.req.raw)
  const by = { user: context.user.id }
  return catchRefusal(
    async () => {
      const member = form.get('member') ?? ''
      const from_day = readDay(form.get('from_day') ?? '')
      if (form.get('act') === 'remove')
        await context.write((db) => removeLaborRate(db, by, { user_id: requireMember(member), from_day }))
      else {
        const cost_cents = readMoney('rate', form.get('rate') ?? '', context.company.currency)
        if (cost_cents === undefined) throw invalidField('rate', refusals.noRate())
        await context.write((db) => setLaborRate(db, by, { user_id: requireMember(member), from_day, cost_cents }))
      }
      return redirectWithMessage(settingsPath(context, 'rates'), { sentence: say`Saved` })
    },
    (refusal) => ratesPage(context, refusal),
  )
}

function requireMember(id: string): string {
  if (!isId(id)) throw invalidField('member', refusals.noMember())
  return id
}

function readDay(text: string): string {
  const day = parseDay(text, 0, 9999)?.toString()
  if (day === undefined || day < EARLIEST_DAY)
    throw invalidField('from_day', refusals.rateDay({ day: text.slice(0, 30) }))
  return day
}

async function ratesPage(context: MemberContext, refusal?: Refusal): Promise<Response> {
  const members = await context.read(listLaborRates)
  const body = html`
${part(
  say`Labor rates`,
  html`<p>${say`What an hour costs you, taxes and benefits included. Only owners see it.`}</p>
${rateForm(context, members)}`,
)}
${when(
  members.some(({ rates }) => rates.length > 0),
  () => part(say`Rates so far`, ratesTable(context, members)),
)}`
  return settingsPage(context, 'rates', say`Labor rates`, body, refusal)
}

const rateForm = (context: MemberContext, members: readonly MemberRates[]): Html => html`
<form class="form" method="post" action="${settingsPath(context, 'rates')}">
  ${select({
    name: 'member',
    label: say`Member`,
    chosen: '',
    options: members.map(({ user_id, name }) => ({ value: user_id, label: name })),
  })}
  ${field({
    name: 'rate',
    label: say`Cost of an hour (${context.company.currency})`,
    keys: 'decimal',
    isRequired: true,
  })}
  ${field({
    name: 'from_day',
    label: say`From day`,
    type: 'date',
    value: todayIn(context.company.timezone).toString(),
    isRequired: true,
  })}
  <p class="actions">${button({ label: say`Set rate`, kind: 'main' })}</p>
</form>`

type Row = LaborRate & { name: string; isCurrent: boolean }

function ratesTable(context: MemberContext, members: readonly MemberRates[]): Html {
  const today = todayIn(context.company.timezone).toString()
  const rows = members.flatMap(({ name, rates }): Row[] => {
    const current = rates.find(({ from_day }) => from_day <= today)
    return rates.map((rate) => ({ ...rate, name, isCurrent: rate === current }))
  })
  return table<Row>({
    caption: say`Rates so far`,
    isCaptionHidden: true,
    empty: '',
    rows,
    columns: [
      { label: say`Member`, cell: ({ name, isCurrent }) => (isCurrent ? html`<b>${name}</b>` : name) },
      { label: say`From day`, cell: ({ from_day }) => shortDay(from_day), isOneLine: true },
      {
        label: say`Cost of an hour`,
        cell: ({ cost_cents }) => money(cost_cents, context.company.currency),
        isNumber: true,
      },
      {
        label: say`Remove`,
        cell: ({ user_id, from_day }) =>
          html`<form method="post" action="${settingsPath(context, 'rates')}">${hidden('act', 'remove')}${hidden(
            'member',
            user_id,
          )}${hidden('from_day', from_day)}${button({ label: say`Remove`, kind: 'quiet' })}</form>`,
      },
    ],
  })
}
