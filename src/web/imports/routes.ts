import { setTimeout } from 'node:timers/promises'
import { DIALECTS } from '../../imports/formats/index.ts'
import { checkImport } from '../../imports/rows/check.ts'
import { SOURCES, recognized, type ImportSource } from '../../imports/formats/dialect.ts'
import { EXAMPLES } from '../../imports/formats/examples.ts'
import { FIXED } from '../../imports/reading/fields.ts'
import type { Coming } from '../../imports/run/going.ts'
import {
  FOR_EXISTING,
  beginRun,
  contentOf,
  findFile,
  findingsOf,
  keepFile,
  keepMapping,
  keepSheet,
  recentFiles,
  workbookOf,
  type ImportedFile,
} from '../../imports/reading/imported_file.ts'
import { KINDS, RIGHTS, isDocument, type ImportKind } from '../../imports/rows/kinds.ts'
import { guessed, remember, remembered, requireUsable, surveyed, type Mapping } from '../../imports/rows/mapping.ts'
import { PROBLEM, cellsOf } from '../../imports/reading/reading.ts'
import { countTaken, rowsStayed, takeBack } from '../../imports/run/take_back.ts'
import { takeOver } from '../../imports/run/take_over.ts'
import { inTurn } from '../../imports/run/turns.ts'
import { readUpload } from '../../imports/reading/upload.ts'
import type { Db } from '../../platform/db/tenant.ts'
import { redirect } from '../../platform/http/answer.ts'
import { formOf } from '../../platform/http/form.ts'
import { wrongMethod } from '../../platform/html/message.ts'
import { newPages, type Pages, type Visit } from '../../platform/http/visit.ts'
import { Refusal, invalidField } from '../../platform/errors/refusal.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { noPage } from '../not_here.ts'
import { sendSheet } from '../sheet.ts'
import type { Site } from '../site.ts'
import { choosePage } from './choose_page.ts'
import { filePage } from './file_page.ts'
import { mappingPage } from './mapping_page.ts'
import { uploadedFile } from './uploaded.ts'

const HERE = '/:tenant{[0-9a-f-]{36}}/settings/import'
const ONE = `${HERE}/:id{[0-9a-f-]{36}}`
const PATIENCE_MS = 1_500

/** Returns the pages by which a company comes from another product: file, columns, what is in it, taking over and taking back. */
export const comingRoutes = (site: Site): Pages =>
  newPages()
    .get(HERE, (visit) => showChoice(site, visit))
    .post((visit) => receive(site, visit))
    .all(wrongMethod('GET, HEAD, POST'))
    .get(`${HERE}/examples/:kind{[a-z_]+}`, (visit) => sendExample(site, visit))
    .all(wrongMethod('GET, HEAD'))
    .get(ONE, (visit) => show(site, visit))
    .post((visit) => start(site, visit))
    .all(wrongMethod('GET, HEAD, POST'))
    .get(`${ONE}/columns`, (visit) => showColumns(site, visit))
    .post((visit) => saveColumns(site, visit))
    .all(wrongMethod('GET, HEAD, POST'))
    .post(`${ONE}/sheet`, (visit) => chooseSheet(site, visit))
    .all(wrongMethod('POST'))
    .post(`${ONE}/back`, (visit) => goBack(site, visit))
    .all(wrongMethod('POST'))
    .get(`${ONE}/to-fix.csv`, (visit) => sendRest(site, visit))
    .all(wrongMethod('GET, HEAD'))

/** Sends a file that can be imported as it is. */
async function sendExample(site: Site, visit: Visit): Promise<Response> {
  const kind = kindsOf(await requireHand(site, visit)).find((one) => one === visit.req.param('kind'))
  if (kind === undefined) throw noPage()
  return sendSheet(site, visit, { name: `example-${kind}.csv`, ...EXAMPLES[kind] })
}

/** Tells whether somebody may bring records of a kind in; a technician brings in customers alone. */
const mayBring = ({ may, visitor }: MemberContext, kind: ImportKind): boolean =>
  (visitor.role !== 'tech' || kind === 'customers') && RIGHTS[kind].every(may)

/** Requires somebody who may bring in something; for others there is no such page. */
async function requireHand(site: Site, visit: Visit): Promise<MemberContext> {
  const context = await requireMemberContext(site, visit)
  if (kindsOf(context).length === 0) throw noPage()
  return context
}

const kindsOf = (context: MemberContext): ImportKind[] => KINDS.filter((kind) => mayBring(context, kind))

type Found = { context: MemberContext; file: ImportedFile }

/** Returns a file whose kind its visitor may bring in now. */
async function requireFile(site: Site, visit: Visit): Promise<Found> {
  const context = await requireHand(site, visit)
  const file = await context.read((db) => findFile(db, visit.req.param('id') ?? ''))
  if (!mayBring(context, file.kind)) throw noPage()
  return { context, file }
}

async function showChoice(site: Site, visit: Visit): Promise<Response> {
  const context = await requireHand(site, visit)
  return choiceOf(context, { kind: visit.req.query('kind') ?? '' })
}

async function choiceOf(context: MemberContext, chosen: { kind: string; refusal?: Refusal }): Promise<Response> {
  const kinds = kindsOf(context)
  return choosePage(context, kinds, await context.read((db) => recentFiles(db, kinds, 20)), chosen)
}

async function receive(site: Site, visit: Visit): Promise<Response> {
  const context = await requireHand(site, visit)
  let kindChosen = ''
  try {
    const { name, content, fields } = await uploadedFile(site, context, visit)
    kindChosen = fields.get('kind') ?? ''
    const { table, header, total } = await inTurn(context.company.id, () => readTable(content))
    const { source, kind } = recognized(DIALECTS, header, {
      ...oneOf<ImportSource>('source', SOURCES, fields.get('source') ?? ''),
      ...oneOf<ImportKind>('kind', KINDS, kindChosen),
    })
    requireKind(context, kind)
    const id = await context.write((db) =>
      keepFile(db, { source, kind, file_name: name, total, table, user: context.user.id }),
    )
    return redirect(context.path('settings', 'import', id, 'columns'))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return choiceOf(context, { kind: kindChosen, refusal: error })
  }
}

async function readTable(content: Buffer, sheet?: string) {
  const table = await readUpload(content, sheet)
  return { table, ...(await surveyed(table.content)) }
}

/** Returns the columns of a file that is kept. */
const columnsOf = ({ context, file }: Found) =>
  inTurn(context.company.id, async () => surveyed(await context.read((db) => contentOf(db, file.id))))

function oneOf<T extends string>(name: string, of: readonly T[], value: string): Partial<Record<string, T>> {
  if (value === '') return {}
  const found = of.find((one) => one === value)
  if (found === undefined) throw invalidField(name, `must be one of ${of.join(', ')} (got '${value.slice(0, 40)}')`)
  return { [name]: found }
}

function requireKind(context: MemberContext, kind: ImportKind): void {
  if (!mayBring(context, kind)) throw invalidField('file', `looks like ${kind}, which you may not change; ask an owner`)
}

/** Reads another sheet of a workbook, whose columns tell anew what is in it. */
async function chooseSheet(site: Site, visit: Visit): Promise<Response> {
  const found = await requireFile(site, visit)
  const { context, file } = found
  const sent = await formOf(visit.req.raw)
  try {
    const workbook = await context.read((db) => workbookOf(db, file.id))
    const { table, header, total } = await inTurn(context.company.id, () =>
      readTable(workbook, sent.get('sheet') ?? ''),
    )
    const { source, kind } = recognized(DIALECTS, header, oneOf<ImportKind>('kind', KINDS, sent.get('kind') ?? ''))
    requireKind(context, kind)
    await context.write((db) => keepSheet(db, file.id, { source, kind, total }, table))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return columnsPage(found, undefined, error)
  }
  return redirect(context.path('settings', 'import', file.id, 'columns'))
}

async function showColumns(site: Site, visit: Visit): Promise<Response> {
  const found = await requireFile(site, visit)
  return columnsPage(found)
}

async function columnsPage(found: Found, typed?: Mapping, refusal?: Refusal) {
  const { context, file } = found
  const { header, samples } = await columnsOf(found)
  const before = await context.read((db) => remembered(db, file.kind, header))
  const dialect = recognized(DIALECTS, header, { source: file.source, kind: file.kind })
  const mapping = typed ?? file.mapping ?? before ?? guessed(dialect, header)
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

async function saveColumns(site: Site, visit: Visit): Promise<Response> {
  const found = await requireFile(site, visit)
  const { context, file } = found
  const sent = await formOf(visit.req.raw)
  const { header } = await columnsOf(found)
  const mapping: Mapping = {
    columns: header.map((_, c) => sent.get(`column_${c}`) || null),
    fixed: Object.fromEntries(
      [...FIXED[file.kind], ...(isDocument(file.kind) ? ['difference'] : [])].flatMap((field) => {
        const value = sent.get(`fixed_${field}`)?.trim() ?? ''
        return value === '' ? [] : [[field, value] as const]
      }),
    ),
  }
  try {
    requireUsable(file.kind, header, mapping)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return columnsPage(found, mapping, error)
  }
  const run = await context.write(async (db) => {
    await keepMapping(db, file.id, mapping, file.source)
    await remember(db, file.kind, header, mapping)
    return beginRun(db, file.id, 'checking')
  })
  await briefly(checkImport(comingOf(site, context), { ...file, mapping }, run))
  return redirect(context.path('settings', 'import', file.id))
}

async function show(site: Site, visit: Visit): Promise<Response> {
  const { context, file } = await requireFile(site, visit)
  if (file.state === 'mapping' && file.mapping === null)
    return redirect(context.path('settings', 'import', file.id, 'columns'))
  const [findings, counts, stayed] = await context.read((db) =>
    Promise.all([findingsOf(db, file.id), countTaken(db, file.id), rowsStayed(db, file.id, 100)]),
  )
  return filePage(context, { file, findings, ...counts, stays: stayed, mayUndo: mayUndo(context, file) })
}

/** Checks a file that was given up, takes it over, or goes on with that. */
async function start(site: Site, visit: Visit): Promise<Response> {
  const { context, file } = await requireFile(site, visit)
  const chosen = (await formOf(visit.req.raw)).get('existing') ?? file.existing
  const existing = FOR_EXISTING.find((one) => one === chosen)
  if (existing === undefined) throw invalidField('existing', `must be one of ${FOR_EXISTING.join(', ')}`)
  const coming = comingOf(site, context)
  const isChecked = (await context.read((db) => findingsOf(db, file.id))) !== null
  const run = await context.write((db) => beginRun(db, file.id, isChecked ? 'running' : 'checking', existing))
  await briefly(isChecked ? takeOver(coming, { ...file, existing }, run) : checkImport(coming, file, run))
  return redirect(context.path('settings', 'import', file.id))
}

/** Tells whether somebody may take an import back: an owner, or whoever made it. */
const mayUndo = ({ visitor, user }: MemberContext, { user_id }: ImportedFile): boolean =>
  visitor.role === 'owner' || user.id === user_id

async function goBack(site: Site, visit: Visit): Promise<Response> {
  const { context, file } = await requireFile(site, visit)
  if (!mayUndo(context, file)) throw noPage()
  const run = await context.write((db) => beginRun(db, file.id, 'taking_back'))
  await briefly(takeBack(comingOf(site, context), file, run))
  return redirect(context.path('settings', 'import', file.id))
}

const comingOf = (site: Site, context: MemberContext): Coming => ({
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
const briefly = (work: Promise<void>): Promise<void> => Promise.race([work, setTimeout(PATIENCE_MS)])

/** Sends the rows that were left out, as they stand in the file, each with the reason. */
async function sendRest(site: Site, visit: Visit): Promise<Response> {
  const { context, file } = await requireFile(site, visit)
  const findings = await context.read((db) => findingsOf(db, file.id))
  const left = new Map((file.outcome?.left ?? findings?.problems ?? []).map(({ number, reason }) => [number, reason]))
  const name = `${file.file_name
    .replace(/\.[^.]*$/, '')
    .replace(/[^\w .-]+/g, '_')
    .slice(0, 100)} to fix.csv`
  return sendSheet(site, visit, { name, rows: rowsLeft(() => context.read((db: Db) => contentOf(db, file.id)), left) })
}

async function* rowsLeft(
  read: () => Promise<Buffer>,
  left: ReadonlyMap<number, string>,
): AsyncGenerator<string[], void> {
  for await (const { number, cells } of cellsOf(await read(), new Set(left.keys())))
    yield number === 1 ? [PROBLEM, ...cells] : [left.get(number)!, ...cells]
}
