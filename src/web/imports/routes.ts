import { setTimeout } from 'node:timers/promises'
import { SOURCE_FORMATS } from '../../imports/formats/index.ts'
import { checkImport } from '../../imports/rows/check.ts'
import { SOURCES, detectFormat, type ImportSource } from '../../imports/formats/source_format.ts'
import { EXAMPLES } from '../../imports/formats/examples.ts'
import { FIXED_FIELDS } from '../../imports/reading/fields.ts'
import type { ImportRunContext } from '../../imports/run/import_run.ts'
import {
  EXISTING_POLICIES,
  startRun,
  readContent,
  findFile,
  readFindings,
  saveFile,
  saveFileMapping,
  saveSheet,
  recentFiles,
  readStoredWorkbook,
  type ImportedFile,
} from '../../imports/reading/imported_file.ts'
import { KINDS, REQUIRED_SCOPES, isDocument, type ImportKind } from '../../imports/rows/kinds.ts'
import {
  guessMapping,
  rememberMapping,
  findMapping,
  requireValidMapping,
  sampleColumns,
  type Mapping,
} from '../../imports/rows/mapping.ts'
import { PROBLEM_COLUMN, readCells } from '../../imports/reading/reading.ts'
import { countUndone, listSkippedUndoRows, undoImport } from '../../imports/run/undo_import.ts'
import { runImport } from '../../imports/run/run_import.ts'
import { inTurn } from '../../imports/run/turns.ts'
import { readUpload } from '../../imports/reading/upload.ts'
import type { Db } from '../../platform/db/tenant.ts'
import { redirect } from '../../platform/http/answer.ts'
import { readFormFields } from '../../platform/http/form.ts'
import { methodNotAllowed } from '../../platform/html/message.ts'
import { newPageRouter, type PageRouter, type PageRequest } from '../../platform/http/page_request.ts'
import { Refusal, invalidField } from '../../platform/errors/refusal.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { say } from '../../platform/i18n/say.ts'
import { notFoundRefusal } from '../not_found.ts'
import { sendSheet } from '../sheet.ts'
import type { Site } from '../site.ts'
import { choosePage } from './choose_page.ts'
import { filePage } from './file_page.ts'
import { mappingPage } from './mapping_page.ts'
import { receiveTable } from './upload.ts'
import { refusals } from '../refusals.ts'

const HERE = '/:tenant{[0-9a-f-]{36}}/settings/import'
const ONE = `${HERE}/:id{[0-9a-f-]{36}}`
const PATIENCE_MS = 1_500

/** Returns the pages by which a company comes from another product: file, columns, what is in it, taking over and taking back. */
export const importFileRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .get(HERE, (visit) => showChoice(site, visit))
    .post((visit) => receive(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${HERE}/examples/:kind{[a-z_]+}`, (visit) => sendExample(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .get(ONE, (visit) => show(site, visit))
    .post((visit) => start(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${ONE}/columns`, (visit) => showColumns(site, visit))
    .post((visit) => saveColumns(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .post(`${ONE}/sheet`, (visit) => chooseSheet(site, visit))
    .all(methodNotAllowed('POST'))
    .post(`${ONE}/back`, (visit) => undoFile(site, visit))
    .all(methodNotAllowed('POST'))
    .get(`${ONE}/to-fix.csv`, (visit) => sendRest(site, visit))
    .all(methodNotAllowed('GET, HEAD'))

/** Sends a file that can be imported as it is. */
async function sendExample(site: Site, visit: PageRequest): Promise<Response> {
  const kind = kindsOf(await requireWriteAccess(site, visit)).find((one) => one === visit.req.param('kind'))
  if (kind === undefined) throw notFoundRefusal()
  return sendSheet(site, visit, { name: `example-${kind}.csv`, ...EXAMPLES[kind] })
}

/** Checks whether somebody may bring records of a kind in; a technician brings in customers alone. */
const mayImport = ({ may, visitor }: MemberContext, kind: ImportKind): boolean =>
  (visitor.role !== 'tech' || kind === 'customers') && REQUIRED_SCOPES[kind].every(may)

/** Requires somebody who may bring in something; for others there is no such page. */
async function requireWriteAccess(site: Site, visit: PageRequest): Promise<MemberContext> {
  const context = await requireMemberContext(site, visit)
  if (kindsOf(context).length === 0) throw notFoundRefusal()
  return context
}

const kindsOf = (context: MemberContext): ImportKind[] => KINDS.filter((kind) => mayImport(context, kind))

type FileContext = { context: MemberContext; file: ImportedFile }

/** Returns a file whose kind its visitor may bring in now. */
async function requireFile(site: Site, visit: PageRequest): Promise<FileContext> {
  const context = await requireWriteAccess(site, visit)
  const file = await context.read((db) => findFile(db, visit.req.param('id') ?? ''))
  if (!mayImport(context, file.kind)) throw notFoundRefusal()
  return { context, file }
}

async function showChoice(site: Site, visit: PageRequest): Promise<Response> {
  const context = await requireWriteAccess(site, visit)
  return choiceOf(context, { kind: visit.req.query('kind') ?? '' })
}

async function choiceOf(context: MemberContext, chosen: { kind: string; refusal?: Refusal }): Promise<Response> {
  const kinds = kindsOf(context)
  return choosePage(context, kinds, await context.read((db) => recentFiles(db, kinds, 20)), chosen)
}

async function receive(site: Site, visit: PageRequest): Promise<Response> {
  const context = await requireWriteAccess(site, visit)
  let kindChosen = ''
  try {
    const { name, content, fields } = await receiveTable(site, context, visit)
    kindChosen = fields.get('kind') ?? ''
    const { table, header, total } = await inTurn(context.company.id, () => readTable(content))
    const { source, kind } = detectFormat(SOURCE_FORMATS, header, {
      ...oneOf<ImportSource>('source', SOURCES, fields.get('source') ?? ''),
      ...oneOf<ImportKind>('kind', KINDS, kindChosen),
    })
    requireKind(context, kind)
    const id = await context.write((db) =>
      saveFile(db, { source, kind, file_name: name, total, table, user: context.user.id }),
    )
    return redirect(context.path('settings', 'import', id, 'columns'))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return choiceOf(context, { kind: kindChosen, refusal: error })
  }
}

async function readTable(content: Buffer, sheet?: string) {
  const table = await readUpload(content, sheet)
  return { table, ...(await sampleColumns(table.content)) }
}

/** Returns the columns of a file that is kept. */
const columnsOf = ({ context, file }: FileContext) =>
  inTurn(context.company.id, async () => sampleColumns(await context.read((db) => readContent(db, file.id))))

function oneOf<T extends string>(name: string, of: readonly T[], value: string): Partial<Record<string, T>> {
  if (value === '') return {}
  const found = of.find((one) => one === value)
  if (found === undefined)
    throw invalidField(name, refusals.unknownOption({ options: of.join(', '), value: value.slice(0, 40) }))
  return { [name]: found }
}

function requireKind(context: MemberContext, kind: ImportKind): void {
  if (!mayImport(context, kind)) throw invalidField('file', refusals.forbiddenKind({ kind }))
}

/** Reads another sheet of a workbook, whose columns tell anew what is in it. */
async function chooseSheet(site: Site, visit: PageRequest): Promise<Response> {
  const found = await requireFile(site, visit)
  const { context, file } = found
  const sent = await readFormFields(visit.req.raw)
  try {
    const workbook = await context.read((db) => readStoredWorkbook(db, file.id))
    const { table, header, total } = await inTurn(context.company.id, () =>
      readTable(workbook, sent.get('sheet') ?? ''),
    )
    const { source, kind } = detectFormat(
      SOURCE_FORMATS,
      header,
      oneOf<ImportKind>('kind', KINDS, sent.get('kind') ?? ''),
    )
    requireKind(context, kind)
    await context.write((db) => saveSheet(db, file.id, { source, kind, total }, table))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return columnsPage(found, undefined, error)
  }
  return redirect(context.path('settings', 'import', file.id, 'columns'))
}

async function showColumns(site: Site, visit: PageRequest): Promise<Response> {
  const found = await requireFile(site, visit)
  return columnsPage(found)
}

async function columnsPage(found: FileContext, typed?: Mapping, refusal?: Refusal) {
  const { context, file } = found
  const { header, samples } = await columnsOf(found)
  const before = await context.read((db) => findMapping(db, file.kind, header))
  const dialect = detectFormat(SOURCE_FORMATS, header, { source: file.source, kind: file.kind })
  const mapping = typed ?? file.mapping ?? before ?? guessMapping(dialect, header)
  return mappingPage(context, {
    file,
    header,
    samples,
    mapping,
    isRemembered: file.mapping === null && before !== undefined,
    refusal,
    kinds: kindsOf(context),
  })
}

async function saveColumns(site: Site, visit: PageRequest): Promise<Response> {
  const found = await requireFile(site, visit)
  const { context, file } = found
  const sent = await readFormFields(visit.req.raw)
  const { header } = await columnsOf(found)
  const mapping: Mapping = {
    columns: header.map((_, c) => sent.get(`column_${c}`) || null),
    fixed: Object.fromEntries(
      [...FIXED_FIELDS[file.kind], ...(isDocument(file.kind) ? ['difference'] : [])].flatMap((field) => {
        const value = sent.get(`fixed_${field}`)?.trim() ?? ''
        return value === '' ? [] : [[field, value] as const]
      }),
    ),
  }
  try {
    requireValidMapping(file.kind, header, mapping)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return columnsPage(found, mapping, error)
  }
  const run = await context.write(async (db) => {
    await saveFileMapping(db, file.id, mapping, file.source)
    await rememberMapping(db, file.kind, header, mapping)
    return startRun(db, file.id, 'checking')
  })
  await waitBriefly(checkImport(toImportContext(site, context), { ...file, mapping }, run))
  return redirect(context.path('settings', 'import', file.id))
}

async function show(site: Site, visit: PageRequest): Promise<Response> {
  const { context, file } = await requireFile(site, visit)
  if (file.state === 'mapping' && file.mapping === null)
    return redirect(context.path('settings', 'import', file.id, 'columns'))
  const [findings, counts, stayed] = await context.read((db) =>
    Promise.all([readFindings(db, file.id), countUndone(db, file.id), listSkippedUndoRows(db, file.id, 100)]),
  )
  return filePage(context, { file, findings, ...counts, stays: stayed, mayUndo: mayUndo(context, file) })
}

/** Checks a file that was given up, takes it over, or goes on with that. */
async function start(site: Site, visit: PageRequest): Promise<Response> {
  const { context, file } = await requireFile(site, visit)
  const chosen = (await readFormFields(visit.req.raw)).get('existing') ?? file.existing
  const existing = EXISTING_POLICIES.find((one) => one === chosen)
  if (existing === undefined)
    throw invalidField('existing', refusals.noExistingPolicy({ options: EXISTING_POLICIES.join(', ') }))
  const coming = toImportContext(site, context)
  const isChecked = (await context.read((db) => readFindings(db, file.id))) !== null
  const run = await context.write((db) => startRun(db, file.id, isChecked ? 'running' : 'checking', existing))
  await waitBriefly(isChecked ? runImport(coming, { ...file, existing }, run) : checkImport(coming, file, run))
  return redirect(context.path('settings', 'import', file.id))
}

/** Checks whether somebody may take an import back: an owner, or whoever made it. */
const mayUndo = ({ visitor, user }: MemberContext, { user_id }: ImportedFile): boolean =>
  visitor.role === 'owner' || user.id === user_id

async function undoFile(site: Site, visit: PageRequest): Promise<Response> {
  const { context, file } = await requireFile(site, visit)
  if (!mayUndo(context, file)) throw notFoundRefusal()
  const run = await context.write((db) => startRun(db, file.id, 'taking_back'))
  await waitBriefly(undoImport(toImportContext(site, context), file, run))
  return redirect(context.path('settings', 'import', file.id))
}

const toImportContext = (site: Site, context: MemberContext): ImportRunContext => ({
  database: site.database,
  actions: site.actions,
  baseUrl: site.baseUrl,
  as: context.as,
  tenant: context.company.id,
  currency: context.company.currency,
  country: context.company.country,
  seesCost: context.visitor.role === 'owner',
  report: site.report,
})

/** Waits for work that is mostly short, and no longer than a person does without a word; it goes on by itself. */
const waitBriefly = (work: Promise<void>): Promise<void> => Promise.race([work, setTimeout(PATIENCE_MS)])

/** Sends the rows that were left out, as they stand in the file, each with the reason. */
async function sendRest(site: Site, visit: PageRequest): Promise<Response> {
  const { context, file } = await requireFile(site, visit)
  const findings = await context.read((db) => readFindings(db, file.id))
  const left = new Map((file.outcome?.left ?? findings?.problems ?? []).map(({ number, reason }) => [number, reason]))
  const imported = file.file_name
    .replace(/\.[^.]*$/, '')
    .replace(/[^\w .-]+/g, '_')
    .slice(0, 100)
  const name = `${say`${imported} to fix`}.csv`
  return sendSheet(site, visit, {
    name,
    rows: rowsLeft(() => context.read((db: Db) => readContent(db, file.id)), left),
  })
}

async function* rowsLeft(
  read: () => Promise<Buffer>,
  left: ReadonlyMap<number, string>,
): AsyncGenerator<string[], void> {
  for await (const { number, cells } of readCells(await read(), new Set(left.keys())))
    yield number === 1 ? [PROBLEM_COLUMN, ...cells] : [left.get(number)!, ...cells]
}
