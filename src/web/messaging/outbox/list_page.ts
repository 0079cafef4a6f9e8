import { pageResponse } from '../../../platform/http/answer.ts'
import { linkButton } from '../../../platform/html/parts/button.ts'
import { attribute, html, when, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import { pager } from '../../../platform/html/parts/pager.ts'
import { table } from '../../../platform/html/parts/table.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { sayFor, say } from '../../../platform/i18n/say.ts'
import { hideLinks } from '../../../messaging/inbox/inbound/hidden_links.ts'
import { countUndecided, listOutbox, type OutboxEntry, type OutboxState } from '../../../messaging/outbox/list.ts'
import { moment, phone } from '../../../records/format/formats.ts'
import { recipientText } from '../../../records/page/contact_links.ts'
import { isId } from '../../../platform/validation/id.ts'
import { frame } from '../../frame.ts'
import { requireReadAccess } from '../inbox/reading.ts'
import { requireMemberContext, type MemberContext } from '../../member_context.ts'
import type { Site } from '../../site.ts'
import { channelLabel, reasonOf, recipientOf, stateTag } from './words.ts'

const VIEWS: readonly { name: string; label: () => string; states: readonly OutboxState[] }[] = [
  { name: '', label: () => say`All`, states: [] },
  { name: 'waiting', label: () => say`Waiting to be sent`, states: ['queued', 'attempting'] },
  { name: 'undecided', label: () => say`Needs you`, states: ['uncertain', 'held'] },
  { name: 'failed', label: () => say`Failed`, states: ['failed'] },
  { name: 'sent', label: () => sayFor('message')`Sent`, states: ['handed_over', 'delivered'] },
]

/** Lists sent and waiting messages, newest first. */
export async function showOutbox(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  requireReadAccess(context)
  const searchParams = new URL(request.req.url).searchParams
  const view = VIEWS.find(({ name }) => name === searchParams.get('view')) ?? VIEWS[0]!
  const before = searchParams.get('before') ?? ''
  const [{ rows, hasMore }, undecided, canSendMail, canSendTexts] = await Promise.all([
    context.read((db) => listOutbox(db, view.states, isId(before) ? before : undefined)),
    context.read(countUndecided),
    context.canSend('email'),
    context.canSend('sms'),
  ])
  const address = (more: Readonly<Record<string, string>>): string => {
    const query = new URLSearchParams(Object.entries({ view: view.name, ...more }).filter(([, value]) => value !== ''))
    return `${context.path('outbox')}${query.size === 0 ? '' : `?${query.toString()}`}`
  }
  return pageResponse(
    frame(context, {
      title: say`Outbox`,
      here: context.path('outbox'),
      body: html`
<header class="page-head">
  <h1>${say`Outbox`}</h1>
  <div class="actions">
    ${linkButton(say`Do-not-send list`, context.path('outbox', 'suppressed'))}
    ${when(context.session.role === 'owner', () => linkButton(say`Limits`, context.path('outbox', 'limits')))}
  </div>
</header>${noSenderNotice(canSendMail, canSendTexts)}
<nav class="views" aria-label="${say`Views of the outbox`}">${VIEWS.map(
        ({ name, label }) => html`
  <a class="button quiet"
    href="${address({ view: name })}"${attribute('aria-current', name === view.name, 'true')}>${label()}${when(
      name === 'undecided' && undecided > 0,
      () => html` <span class="count">${undecided}</span>`,
    )}</a>`,
      )}
</nav>
${messageTable(context, rows)}
${pager({
  label: say`Pages of the outbox`,
  previous: isId(before) ? address({}) : undefined,
  next: hasMore ? address({ before: rows.at(-1)!.id }) : undefined,
})}`,
    }),
  )
}

const messageTable = (context: MemberContext, rows: readonly OutboxEntry[]): Html =>
  table<OutboxEntry>({
    caption: say`Messages`,
    isCaptionHidden: true,
    rows,
    empty: say`No messages here.`,
    columns: [
      {
        label: say`To`,
        cell: (row) =>
          html`<a href="${context.path('outbox', row.id)}">${recipientOf(row)}</a>${when(
            phone(row.recipient) !== recipientOf(row),
            () => html`<span class="help">${recipientText(row.recipient)}</span>`,
          )}`,
      },
      {
        label: say`Message`,
        cell: (row) =>
          html`${row.subject ?? excerpt(hideLinks(row.body))}<span class="help">${channelLabel(row.channel)}</span>`,
      },
      {
        label: say`State`,
        cell: (row) =>
          html`${stateTag(row)}${when(
            reasonOf(row, context.company.timezone) || null,
            (reason) => html`<span class="help">${reason}</span>`,
          )}`,
      },
      {
        label: say`Sent by`,
        cell: (row) =>
          html`${row.queued_by ?? say`Automatic`}<span class="help">${moment(
            row.created_at,
            context.company.timezone,
          )}</span>`,
      },
    ],
  })

const excerpt = (body: string): string => (body.length > 80 ? `${body.slice(0, 79).trimEnd()}…` : body)

/** Warns, before anything is written, that it won't be sent. */
const noSenderNotice = (canSendMail: boolean, canSendTexts: boolean): Html | '' =>
  canSendMail && canSendTexts
    ? ''
    : notice({
        kind: 'warning',
        title: canSendMail
          ? say`Texts are not sent: no sender is set up`
          : canSendTexts
            ? say`Email is not sent: no sender is set up`
            : say`Nothing is sent: no sender is set up`,
        body: say`What you send is kept here until this service’s administrator sets one up.`,
      })
