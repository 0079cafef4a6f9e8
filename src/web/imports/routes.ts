import { EXISTING_POLICIES, readContent, readFindings, startRun } from '../../imports/reading/imported_file.ts'
import { PROBLEM_COLUMN, readCells } from '../../imports/reading/reading.ts'
import { checkImport } from '../../imports/rows/check.ts'
import { mayUndoImport } from '../../imports/run/rights.ts'
import { runImport } from '../../imports/run/run_import.ts'
import { countUndone, listSkippedUndoRows, undoImport } from '../../imports/run/undo_import.ts'
import type { Db } from '../../platform/db/tenant.ts'
import { invalidField } from '../../platform/errors/refusal.ts'
import { redirect } from '../../platform/http/answer.ts'
import { readFormFields } from '../../platform/http/form.ts'
import type { PageRequest, PageRouter } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { followPage } from '../follow_page.ts'
import { notFoundRefusal } from '../not_found.ts'
import { refusals } from '../refusals.ts'
import { sendSheet } from '../sheet.ts'
import { pageRoutes } from '../page_routes.ts'
import type { Site } from '../site.ts'
import { chooseSheet, receiveFile, sendExample, showChoice } from './choosing.ts'
import { saveColumns, showColumns } from './columns.ts'
import { filePage } from './file_page.ts'
import { requireFile, toImportContext, waitBriefly } from './import_file.ts'

const HERE = '/:tenant{[0-9a-f-]{36}}/settings/import'
const FILE = `${HERE}/:id{[0-9a-f-]{36}}`

/** Returns the pages of an import: upload, columns, check, import and undo. */
export const importFileRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    [HERE]: { get: showChoice, post: receiveFile },
    [`${HERE}/examples/:kind{[a-z_]+}`]: { get: sendExample },
    [FILE]: { get: (site, request) => followPage(site, request, () => showFile(site, request)), post: startFile },
    [`${FILE}/columns`]: { get: showColumns, post: saveColumns },
    [`${FILE}/sheet`]: { post: chooseSheet },
    [`${FILE}/back`]: { post: undoFile },
    [`${FILE}/to-fix.csv`]: { get: sendRejectedRows },
  })

async function showFile(site: Site, request: PageRequest): Promise<Response> {
  const { context, file } = await requireFile(site, request)
  if (file.state === 'mapping' && file.mapping === null)
    return redirect(context.path('settings', 'import', file.id, 'columns'))
  const [findings, counts, skippedRows] = await context.read((db) =>
    Promise.all([readFindings(db, file.id), countUndone(db, file.id), listSkippedUndoRows(db, file.id, 100)]),
  )
  return filePage(context, { file, findings, ...counts, skippedRows, mayUndo: mayUndoImport(context.caller, file) })
}

/** Checks a file, imports a checked one, or resumes either. */
async function startFile(site: Site, request: PageRequest): Promise<Response> {
  const { context, file } = await requireFile(site, request)
  const chosen = (await readFormFields(request.req.raw)).get('existing') ?? file.existing
  const existing = EXISTING_POLICIES.find((one) => one === chosen)
  if (existing === undefined)
    throw invalidField('existing', refusals.noExistingPolicy({ options: EXISTING_POLICIES.join(', ') }))
  const importContext = toImportContext(site, context)
  const isChecked = (await context.read((db) => readFindings(db, file.id))) !== null
  const run = await context.write((db) => startRun(db, file.id, isChecked ? 'running' : 'checking', existing))
  await waitBriefly(
    isChecked ? runImport(importContext, { ...file, existing }, run) : checkImport(importContext, file, run),
  )
  return redirect(context.path('settings', 'import', file.id))
}

async function undoFile(site: Site, request: PageRequest): Promise<Response> {
  const { context, file } = await requireFile(site, request)
  if (!mayUndoImport(context.caller, file)) throw notFoundRefusal()
  const run = await context.write((db) => startRun(db, file.id, 'taking_back'))
  await waitBriefly(undoImport(toImportContext(site, context), file, run))
  return redirect(context.path('settings', 'import', file.id))
}

/** Sends the skipped rows as they are in the file, each with its reason. */
async function sendRejectedRows(site: Site, request: PageRequest): Promise<Response> {
  const { context, file } = await requireFile(site, request)
  const findings = await context.read((db) => readFindings(db, file.id))
  const reasons = new Map(
    (file.outcome?.left ?? findings?.problems ?? []).map(({ number, reason }) => [number, reason]),
  )
  const baseName = file.file_name
    .replace(/\.[^.]*$/, '')
    .replace(/[^\w .-]+/g, '_')
    .slice(0, 100)
  const name = `${say`${baseName} to fix`}.csv`
  return sendSheet(site, request, {
    name,
    rows: rejectedRows(() => context.read((db: Db) => readContent(db, file.id)), reasons),
  })
}

async function* rejectedRows(
  read: () => Promise<Buffer>,
  reasons: ReadonlyMap<number, string>,
): AsyncGenerator<string[], void> {
  for await (const { number, cells } of readCells(await read(), new Set(reasons.keys())))
    yield number === 1 ? [PROBLEM_COLUMN, ...cells] : [reasons.get(number)!, ...cells]
}
