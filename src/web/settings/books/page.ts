import { createHash } from 'node:crypto'
import { BooksError } from '../../../books/books_error.ts'
import { findConnection, type BooksConnection } from '../../../books/connection/connection.ts'
import { countBooksRows, listBooksRows } from '../../../books/overview.ts'
import type { BooksPreview } from '../../../books/preview.ts'
import { BOOK_ACCOUNTS, PROGRAM_NAMES } from '../../../books/program.ts'
import { refusals } from '../../../books/refusals.ts'
import { conflict, Refusal } from '../../../platform/errors/refusal.ts'
import { html, type Html } from '../../../platform/html/html.ts'
import { say } from '../../../platform/i18n/say.ts'
import { todayIn } from '../../../platform/validation/formats/instants.ts'
import type { MemberContext } from '../../member_context.ts'
import type { Site } from '../../site.ts'
import { settingsPage } from '../settings_page.ts'
import { accountsPart, connectionPart, connectPart, organizationPart, previewPart, recordsPart } from './parts.ts'

/** Returns a token of the settings, so that a sync only starts with the settings of the last dry run. */
export const tokenOf = ({ accounts, from_day, organization }: BooksConnection): string =>
  createHash('sha256')
    .update(JSON.stringify([organization, from_day, BOOK_ACCOUNTS.map((account) => accounts?.[account])]))
    .digest('hex')

/** Runs work that calls the program. Converts its failures into refusals. */
export async function asRefusal<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof BooksError)) throw error
    throw conflict(error.failure === 'revoked' ? refusals.revoked() : refusals.unreachable())
  }
}

type PageState = { refusal?: Refusal; preview?: BooksPreview; setsAccounts?: boolean }

export async function booksPage(site: Site, context: MemberContext, state: PageState = {}): Promise<Response> {
  const connection = await context.read(findConnection)
  let { refusal } = state
  let body: Html
  try {
    body = await asRefusal(() => pageBody(site, context, connection, state))
  } catch (error) {
    if (connection === undefined || !(error instanceof Refusal)) throw error
    // The program's accounts can't be read, so the page is shown without them.
    refusal ??= error
    body = connectionPart(context, connection)
  }
  const lead = html`<h2>${say`Books`}</h2>
<p class="lead">${say`What you bill and receive goes to your accounting program, one way.`}</p>`
  return settingsPage(context, 'books', say`Books`, html`${lead}${body}`, refusal)
}

async function pageBody(
  site: Site,
  context: MemberContext,
  connection: BooksConnection | undefined,
  { preview, setsAccounts = false }: PageState,
): Promise<Html> {
  if (connection === undefined) return connectPart(context, site.books.programs)
  const tenant = context.company.id
  const head = connectionPart(context, connection)
  if (connection.revoked_at === null && connection.organization_name === null)
    return html`${head}${organizationPart(context, await site.books.listOrganizations(tenant, connection))}`
  if (connection.revoked_at === null && (connection.accounts === null || setsAccounts)) {
    const offered = await site.books.open(tenant, connection).listAccounts()
    const day = todayIn(context.company.timezone).with({ day: 1 }).toString()
    return html`${head}${accountsPart(context, connection, offered, day)}`
  }
  if (preview !== undefined)
    return html`${head}${previewPart(context, preview, tokenOf(connection), PROGRAM_NAMES[connection.program])}`
  const [counts, rows] = await Promise.all([
    context.read((db) => countBooksRows(db, connection)),
    context.read((db) => listBooksRows(db, connection)),
  ])
  return html`${head}${connection.started_at === null ? '' : recordsPart(context, connection, counts, rows)}`
}
