import { deviceText } from '../../../identity/security/device.ts'
import { listCompanyLog, type LogCursor, type SecurityEntry } from '../../../identity/security/log.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { table, type Column } from '../../../platform/html/parts/table.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { moment } from '../../../records/format/formats.ts'
import { isId } from '../../../platform/validation/id.ts'
import type { MemberContext } from '../../member_context.ts'
import type { Site } from '../../site.ts'
import { settingsPath, requireOwner, settingsPage } from '../settings_page.ts'
import { networkText, sentenceOf } from './security_words.ts'

const PAGE_SIZE = 50

/** Shows owners sign-ins, and members who gained or lost access. */
export async function showSecurityLog(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwner(site, request)
  const searchParams = new URL(request.req.url).searchParams
  const log = await listCompanyLog(site.database, context.company.id, PAGE_SIZE + 1, readCursor(searchParams))
  const entries = log.slice(0, PAGE_SIZE)
  const last = log.length > PAGE_SIZE ? entries.at(-1) : undefined
  return settingsPage(
    context,
    'log',
    say`Security log`,
    html`
<p class="lead">${say`Sign-ins and changes of access. Kept for a year.`}</p>
${logTable(context, entries, { hasPeople: true })}${when(
      last,
      ({ at, id }) => html`
<p class="pages"><a href="${settingsPath(context, 'log')}?${new URLSearchParams({ at, id }).toString()}"
  rel="next">${say`Older`}</a></p>`,
    )}`,
  )
}

/** Reads the cursor of a page. An invalid one gives the first page. */
function readCursor(searchParams: URLSearchParams): LogCursor | null {
  const [at, id] = [searchParams.get('at') ?? '', searchParams.get('id') ?? '']
  return isId(id) && /^\d{4}-\d\d-\d\dT[\d:.]{8,12}Z$/.test(at) && !Number.isNaN(Date.parse(at)) ? { at, id } : null
}

/** Draws entries of the security log. A person's own log has no names. */
export const logTable = (
  context: MemberContext,
  entries: readonly SecurityEntry[],
  { hasPeople }: { hasPeople: boolean },
): Html => {
  const timeText = (entry: SecurityEntry): string => moment(entry.at, context.company.timezone)
  const columns: Column<SecurityEntry>[] = [
    { label: say`When`, cell: timeText, isOneLine: true },
    ...(hasPeople ? [{ label: say`Who`, cell: peopleText }] : []),
    { label: say`What`, cell: sentenceOf },
    {
      label: say`Where`,
      cell: ({ device, network }) =>
        [device && deviceText(device), networkText(network)].filter((part) => part).join(', '),
    },
  ]
  return table({ caption: say`Security log`, isCaptionHidden: true, rows: entries, empty: say`Nothing yet.`, columns })
}

/** Returns the member concerned, and the actor if different. */
function peopleText({ kind, who, by }: SecurityEntry): string {
  if (!kind.includes('.')) return who?.name ?? ''
  if (who === null) return by?.name ?? say`The operator`
  if (who.id === by?.id) return who.name
  return say`${who.name}, by ${by?.name ?? say`the operator`}`
}
