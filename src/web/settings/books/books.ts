import {
  chooseOrganization,
  findConnection,
  readAccounts,
  retryRecords,
  saveBooksSettings,
  setRunning,
  type BooksConnection,
} from '../../../books/connection/connection.ts'
import { previewBooks, type BooksPreview } from '../../../books/preview.ts'
import { PROGRAMS } from '../../../books/program.ts'
import { refusals } from '../../../books/refusals.ts'
import { conflict, invalidField, notFound } from '../../../platform/errors/refusal.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { isId } from '../../../platform/validation/id.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import type { MemberContext } from '../../member_context.ts'
import { requireRecent } from '../../sign_in/recent.ts'
import type { Site } from '../../site.ts'
import { catchRefusal, requireOwner, settingsPath } from '../settings_page.ts'
import { startBooksAuthorization } from './connect.ts'
import { parseDay } from '../../../platform/validation/formats/days.ts'
import { asRefusal, booksPage, tokenOf } from './page.ts'

/** Shows owners their accounting connection and the sync status of each record. */
export async function showBooks(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwner(site, request)
  return booksPage(site, context, { setsAccounts: request.req.query('accounts') !== undefined })
}

/** Handles the pressed button, for an owner who recently authenticated. */
export async function saveBooks(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwner(site, request)
  const form = await readFormFields(request.req.raw)
  await requireRecent(site, request, context.session, form)
  return catchRefusal(
    async () => {
      const program = PROGRAMS.find((one) => one === form.get('connect'))
      if (program !== undefined) return startBooksAuthorization(site, context, program)
      if (form.get('act') === 'preview') return booksPage(site, context, { preview: await dryRun(site, context) })
      await asRefusal(() => applyAction(site, context, form))
      return redirectWithMessage(settingsPath(context, 'books'), { sentence: say`Saved` })
    },
    (refusal) => booksPage(site, context, { refusal }),
  )
}

async function applyAction(site: Site, context: MemberContext, form: URLSearchParams): Promise<void> {
  const by = { user: context.user.id }
  const tenant = context.company.id
  switch (form.get('act')) {
    case 'organization': {
      const offered = await site.books.listOrganizations(tenant, await requireConnection(context))
      const organization = offered.find(({ id }) => id === form.get('organization'))
      if (organization === undefined) throw notFound('company')
      return context.write((db) => chooseOrganization(db, organization, context.company.currency, by))
    }
    case 'accounts':
      return saveAccounts(site, context, form)
    case 'start':
      if (form.get('tried') !== tokenOf(await requireConnection(context))) throw conflict(refusals.notTried())
      return context.write((db) => setRunning(db, 'start', by))
    case 'resume':
      return context.write((db) => setRunning(db, 'resume', by))
    case 'pause':
      return context.write((db) => setRunning(db, 'pause', by))
    case 'disconnect':
      return site.books.disconnect(tenant, by)
    default: {
      const id = form.get('record')
      const record = id === null ? null : { kind: form.get('kind') ?? '', id: isId(id) ? id : tenant }
      return context.write((db) => retryRecords(db, record, by))
    }
  }
}

async function saveAccounts(site: Site, context: MemberContext, form: URLSearchParams): Promise<void> {
  const connection = await requireConnection(context)
  const offered = await site.books.open(context.company.id, connection).listAccounts()
  const accounts = readAccounts((account) => form.get(account) ?? undefined, offered)
  const from_day = connection.started_at === null ? readDay(form.get('from_day') ?? '') : connection.from_day
  if (from_day === null) throw invalidField('from_day', refusals.noDay())
  await context.write((db) => saveBooksSettings(db, { accounts, from_day }, { user: context.user.id }))
}

function readDay(text: string): string {
  const day = parseDay(text, 0, 9999)
  if (day === undefined) throw invalidField('from_day', refusals.noDay())
  return day.toString()
}

async function requireConnection(context: MemberContext): Promise<BooksConnection> {
  const connection = await context.read(findConnection)
  if (connection === undefined) throw notFound('connection')
  return connection
}

async function dryRun(site: Site, context: MemberContext): Promise<BooksPreview> {
  const connection = await requireConnection(context)
  const { accounts, from_day: from } = connection
  if (accounts === null || from === null) throw conflict(refusals.notReady())
  const { maxNumber } = site.books.open(context.company.id, connection)
  return previewBooks(site.database, context.company.id, { from, maxNumber, hasTips: accounts.tips !== '' })
}
