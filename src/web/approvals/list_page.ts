import { pageResponse } from '../../platform/http/answer.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { notice } from '../../platform/html/parts/notice.ts'
import { pager } from '../../platform/html/parts/pager.ts'
import { table } from '../../platform/html/parts/table.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import { listHeldConnections, type HeldConnection } from '../../approvals/hold.ts'
import { listProposals, listWaitingProposals, type Proposal } from '../../approvals/proposal.ts'
import { maySee } from '../../approvals/plan_view.ts'
import { moment } from '../../records/format/formats.ts'
import { isId } from '../../platform/validation/id.ts'
import { frame } from '../frame.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import type { Site } from '../site.ts'
import { proposerName, stateOf } from './words.ts'

const PAGE_SIZE = 25
const MAX_WAITING = 100

/** Shows agents' proposals: waiting ones, oldest first, then decided ones. */
export async function showProposals(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  const before = new URL(request.req.url).searchParams.get('before') ?? ''
  const [waiting, all, heldConnections] = await context.read((db) =>
    Promise.all([
      listWaitingProposals(db, MAX_WAITING),
      listProposals(db, PAGE_SIZE + 1, isId(before) ? before : null),
      listHeldConnections(db),
    ]),
  )
  const filterVisible = (list: readonly Proposal[]): Proposal[] => list.filter((one) => maySee(context.caller, one))
  const page = all.slice(0, PAGE_SIZE)
  const decided = filterVisible(page).filter(
    ({ state, expires_at }) => state !== 'open' || Date.parse(expires_at) <= Date.now(),
  )
  return pageResponse(
    frame(context, {
      title: say`Proposals`,
      here: context.path('proposals'),
      styles: ['proposals.css'],
      body: html`
<header class="page-head"><h1>${say`Proposals`}</h1></header>
<p class="lead">${say`Changes that assistants and programs propose. Nothing happens until someone approves it.`}</p>${when(
        context.session.role === 'owner',
        () => html`${heldConnections.map((one) => connectionHoldNotice(context, one))}`,
      )}
${proposalTable(context, say`Waiting`, filterVisible(waiting), say`Nothing to approve.`)}
${when(decided.length > 0, () => proposalTable(context, say`Decided`, decided, ''))}
${pager({
  label: say`Older`,
  next: all.length > PAGE_SIZE ? `${context.path('proposals')}?before=${page.at(-1)!.id}` : undefined,
})}`,
    }),
  )
}

const proposalTable = (context: MemberContext, caption: string, rows: readonly Proposal[], empty: string): Html =>
  table<Proposal>({
    caption,
    rows,
    empty,
    columns: [
      {
        label: say`Proposed by`,
        cell: (one) => html`<a href="${context.path('proposals', one.id)}">${proposerName(one)}</a>`,
      },
      { label: say`What`, cell: ({ calls }) => sayCount(calls, 'One change', '{0} changes') },
      { label: say`State`, cell: (one) => stateOf(withCurrentState(one)), isOneLine: true },
      { label: say`Since`, cell: ({ created_at }) => moment(created_at, context.company.timezone) },
    ],
  })

const withCurrentState = (one: Proposal): Proposal =>
  one.state === 'open' && Date.parse(one.expires_at) <= Date.now() ? { ...one, state: 'expired' } : one

/** Renders a notice about a connection on hold, with a link to release it. */
const connectionHoldNotice = (context: MemberContext, { name, client_id, user_id }: HeldConnection): Html =>
  notice({
    kind: 'warning',
    title: say`${name} is held`,
    body: html`${say`It removed a lot in a short time. Anything it removes now waits for approval.`} <a href="${
      client_id === null
        ? context.path('settings', 'keys')
        : `${context.path('settings', 'app')}?${new URLSearchParams({ client: client_id, user: user_id }).toString()}`
    }">${say`Review access`}</a>`,
  })
