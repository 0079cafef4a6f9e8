import { listConversations, type Conversation } from '../../assistant/conversations.ts'
import { listDayUsage, sumUsage, type DayUsage } from '../../assistant/usage.ts'
import { facts } from '../../platform/html/parts/facts.ts'
import { table } from '../../platform/html/parts/table.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { formatCount, formatters } from '../../platform/i18n/formatters.ts'
import { say } from '../../platform/i18n/say.ts'
import { day } from '../../records/format/formats.ts'
import { part } from '../../records/page/parts.ts'
import type { MemberContext } from '../member_context.ts'
import type { Site } from '../site.ts'
import { isOwner } from './settings_page.ts'

const MAX_DAYS = 31
const MAX_CONVERSATIONS = 20

type Usage = Pick<DayUsage, 'input_tokens' | 'output_tokens' | 'cost_micros'>

/** Draws the assistant's usage: the person's own by conversation, and for owners by day and month. */
export async function usageParts(site: Site, context: MemberContext): Promise<Html> {
  const today = Temporal.Now.plainDateISO(context.company.timezone)
  const [conversations, days, thisMonth, thisDay] = await context.read((db) =>
    Promise.all([
      listConversations(db, context.user.id, MAX_CONVERSATIONS),
      listDayUsage(db, MAX_DAYS),
      sumUsage(db, today.with({ day: 1 }).toString()),
      sumUsage(db, today.toString()),
    ]),
  )
  return html`${when(isOwner(context), () =>
    part(
      say`Usage of the company`,
      html`
${facts([usageFact(say`Today`, thisDay, limitText(site)), usageFact(say`This month`, thisMonth)])}
${table<DayUsage>({
  caption: say`By day`,
  rows: days,
  empty: say`The assistant hasn't been used yet.`,
  columns: [{ label: say`Day`, cell: (one) => day(one.day), isOneLine: true }, ...usageColumns()],
})}`,
    ),
  )}${part(
    say`Your conversations`,
    table<Conversation>({
      caption: say`Your conversations`,
      isCaptionHidden: true,
      rows: conversations,
      empty: say`None yet. Only you can see them.`,
      columns: [
        {
          label: say`Conversation`,
          cell: ({ id, title }) => html`<a href="${context.path('assistant', id)}">${title}</a>`,
        },
        ...usageColumns(),
      ],
    }),
  )}${when(retentionText(site), (text) => html`<p class="help">${text}</p>`)}`
}

const usageFact = (label: string, usage: Usage, note?: string) => ({
  label,
  value: say`${tokens(usage)} tokens`,
  says: [costText(usage), note ?? ''].filter((one) => one !== '').join(' · '),
})

const usageColumns = () => [
  { label: say`Tokens`, cell: tokens, isNumber: true },
  { label: say`Cost`, cell: costText, isNumber: true },
]

/** Formats dollars to a tenth of a cent, since a conversation often costs less than a cent. */
const dollars = formatters(
  (locale) => new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD', maximumFractionDigits: 3 }),
)

const tokens = ({ input_tokens, output_tokens }: Usage): string => formatCount(input_tokens + output_tokens)

/** Returns the cost; empty if no prices are configured. */
const costText = ({ cost_micros }: Usage): string =>
  cost_micros === 0 ? '' : dollars('').format(cost_micros / 1_000_000)

const limitText = ({ assistant }: Site): string | undefined => {
  const max = assistant?.config.maxDayTokens ?? 0
  return max === 0 ? undefined : say`Limit: ${formatCount(max)}`
}

function retentionText({ assistant }: Site): string | undefined {
  const days = assistant?.config.keepDays ?? 0
  return days === 0 ? undefined : say`Conversations are deleted ${days} days after their last message.`
}
