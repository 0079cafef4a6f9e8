import { requireOwner as requireStillOwner } from '../../identity/permissions/rights.ts'
import { button, linkButton } from '../../platform/html/parts/button.ts'
import { field } from '../../platform/html/parts/field.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { table } from '../../platform/html/parts/table.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import {
  requestExport,
  findLatestExport,
  findReadyExport,
  type CompanyExport,
} from '../../privacy/export/company_exports.ts'
import { readParts } from '../../privacy/export/parts.ts'
import type { Refusal } from '../../platform/errors/refusal.ts'
import { moment } from '../../records/format/formats.ts'
import { part } from '../../records/page/parts.ts'
import { listLatestErasures, type ErasureRow } from '../../privacy/tombstones.ts'
import { findCustomersByName, type CustomerName } from '../../records/customers/index.ts'
import { MAX_QUERY_CHARS } from '../../platform/validation/text/search_terms.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import type { MemberContext } from '../member_context.ts'
import { redirectWithMessage } from '../flash_message.ts'
import {
  catchRefusal,
  settingsPath,
  requireOwner,
  requireRecentOwner,
  settingsPage,
} from '../settings/settings_page.ts'
import type { Site } from '../site.ts'
import { fileResponse } from './archive_download.ts'

/** Shows an owner the export of all company data, and the latest erasures. */
export async function showData(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwner(site, request)
  return page(context, (request.req.query('q') ?? '').slice(0, MAX_QUERY_CHARS))
}

/** Requests the company's archive. */
export async function requestArchive(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireRecentOwner(site, request)
  return catchRefusal(
    async () => {
      await context.write(async (db) => {
        await requireStillOwner(db, { user: context.user.id })
        await requestExport(db, context.user.id)
      })
      return redirectWithMessage(settingsPath(context, 'data'), { sentence: say`The archive is being created.` })
    },
    (refusal) => page(context, '', refusal),
  )
}

/** Sends the archive, while it is kept, to owners only. */
export async function sendData(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireRecentOwner(site, request)
  const archive = await context.read((db) => findReadyExport(db, request.req.param('id')!))
  const name = `callout-${todayIn(context.company.timezone).toString()}.zip`
  return fileResponse(name, archive.bytes, readParts(site.storage, context.company.id, archive))
}

async function page(context: MemberContext, query: string, refusal?: Refusal): Promise<Response> {
  const [archive, erased, customers] = await context.read((db) =>
    Promise.all([
      findLatestExport(db),
      listLatestErasures(db),
      query.trim() === '' ? undefined : findCustomersByName(db, query),
    ]),
  )
  const isInProgress = archive !== undefined && (archive.state === 'waiting' || archive.state === 'running')
  return settingsPage(
    context,
    'data',
    say`Data`,
    html`
${part(
  say`Export everything`,
  html`
  <p class="lead">
    ${say`All of your company’s data in one ZIP file: every record as CSV and JSON, messages, photos and files. Passwords, keys and link secrets are left out.`}
  </p>
  ${when(archive, (archive) => stateOf(context, archive))}
  ${
    isInProgress
      ? ''
      : html`<form method="post" action="${settingsPath(context, 'data')}">
          <p class="actions">
            ${button({ label: say`Create archive`, kind: archive?.state === 'ready' ? 'plain' : 'main' })}
          </p>
        </form>`
  }`,
)}
${part(
  say`Data about a customer`,
  html`
  <p class="help">${say`As a file for them, or to erase it. Archived customers are found here too.`}</p>
  <form class="form" method="get" action="${settingsPath(context, 'data')}">
    ${field({ name: 'q', label: say`Name`, type: 'search', value: query })}
    <p class="actions">${button({ label: say`Search` })}</p>
  </form>
  ${when(customers, (customers) => customerTable(context, customers))}`,
)}
${part(say`Erased people`, erasureTable(context, erased))}`,
    refusal,
    isInProgress ? 3 : undefined,
  )
}

function stateOf(context: MemberContext, { id, state, done, total, bytes, expires_at }: CompanyExport): Html {
  switch (state) {
    case 'waiting':
    case 'running':
      return html`<p aria-live="polite"><progress value="${done}" max="${Math.max(
        total,
        1,
      )}" aria-label="${say`Archive progress`}">${done} /
      ${total}</progress><br>${say`The archive is being created. You can leave this page.`}</p>`
    case 'failed':
      return html`<p role="status">${say`The archive could not be created. Try again.`}</p>`
    case 'ready':
      return html`<p>${say`The archive is ready until ${moment(expires_at!, context.company.timezone)}: ${megabytes(bytes)} MB.`}</p>
  <p class="actions">${linkButton(say`Download the archive`, `${settingsPath(context, 'data')}/${id}`, 'main')}</p>`
  }
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)

const customerTable = (context: MemberContext, rows: readonly CustomerName[]): Html =>
  table<CustomerName>({
    caption: say`Customers`,
    isCaptionHidden: true,
    rows,
    empty: say`No matches.`,
    columns: [
      {
        label: say`Name`,
        cell: ({ id, display_name }) => html`<a href="${context.path('customers', id, 'data')}">${display_name}</a>`,
      },
      { label: say`State`, cell: ({ archived_at }) => (archived_at === null ? say`Customer` : say`Archived`) },
    ],
  })

const erasureTable = (context: MemberContext, erased: readonly ErasureRow[]): Html =>
  table<ErasureRow>({
    caption: say`Erased people`,
    isCaptionHidden: true,
    rows: erased,
    empty: say`No one yet.`,
    columns: [
      { label: say`When`, cell: ({ at }) => moment(at, context.company.timezone) },
      {
        label: say`Who`,
        cell: ({ kind, subject_id }) =>
          html`${kind === 'customer' ? say`Customer` : say`Member`} <code>${subject_id}</code>`,
      },
      { label: say`By`, cell: ({ by_name }) => by_name ?? '–' },
      { label: say`Name kept on invoices until`, cell: ({ keep_until }) => keep_until ?? '–' },
    ],
  })
