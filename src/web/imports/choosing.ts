import { EXAMPLES } from '../../imports/formats/examples.ts'
import { SOURCE_FORMATS } from '../../imports/formats/index.ts'
import { SOURCES, detectFormat, type ImportSource } from '../../imports/formats/source_format.ts'
import { readStoredWorkbook, recentFiles, saveFile, saveSheet } from '../../imports/reading/imported_file.ts'
import { readUpload } from '../../imports/reading/upload.ts'
import { KINDS, type ImportKind } from '../../imports/rows/kinds.ts'
import { sampleColumns } from '../../imports/rows/mapping.ts'
import { importableKinds, requireImportable } from '../../imports/run/rights.ts'
import { runInFairQueue } from '../../imports/run/fair_queue.ts'
import { Refusal, invalidField } from '../../platform/errors/refusal.ts'
import { redirect } from '../../platform/http/answer.ts'
import { readFormFields } from '../../platform/http/form.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import type { MemberContext } from '../member_context.ts'
import { notFoundRefusal } from '../not_found.ts'
import { refusals } from '../refusals.ts'
import { sendSheet } from '../sheet.ts'
import type { Site } from '../site.ts'
import { choosePage } from './choose_page.ts'
import { columnsPage } from './columns.ts'
import { requireFile, requireWriteAccess } from './import_file.ts'
import { receiveTable } from './upload.ts'

/** Sends an example file that can be imported as is. */
export async function sendExample(site: Site, request: PageRequest): Promise<Response> {
  const kind = importableKinds((await requireWriteAccess(site, request)).caller).find(
    (one) => one === request.req.param('kind'),
  )
  if (kind === undefined) throw notFoundRefusal()
  return sendSheet(site, request, { name: `example-${kind}.csv`, ...EXAMPLES[kind] })
}

export async function showChoice(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireWriteAccess(site, request)
  return renderChoice(context, { kind: request.req.query('kind') ?? '' })
}

async function renderChoice(context: MemberContext, chosen: { kind: string; refusal?: Refusal }): Promise<Response> {
  const kinds = importableKinds(context.caller)
  return choosePage(context, kinds, await context.read((db) => recentFiles(db, kinds, 20)), chosen)
}

export async function receiveFile(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireWriteAccess(site, request)
  let chosenKind = ''
  try {
    const { name, content, fields } = await receiveTable(site, context, request)
    chosenKind = fields.get('kind') ?? ''
    const { table, header, total } = await runInFairQueue(context.company.id, () => readTable(content))
    const { source, kind } = detectFormat(SOURCE_FORMATS, header, {
      ...parseOption<ImportSource>('source', SOURCES, fields.get('source') ?? ''),
      ...parseOption<ImportKind>('kind', KINDS, chosenKind),
    })
    requireImportable(context.caller, kind)
    const id = await context.write((db) =>
      saveFile(db, { source, kind, file_name: name, total, table, user: context.user.id }),
    )
    return redirect(context.path('settings', 'import', id, 'columns'))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return renderChoice(context, { kind: chosenKind, refusal: error })
  }
}

async function readTable(content: Buffer, sheet?: string) {
  const table = await readUpload(content, sheet)
  return { table, ...(await sampleColumns(table.content)) }
}

function parseOption<T extends string>(name: string, options: readonly T[], value: string): Partial<Record<string, T>> {
  if (value === '') return {}
  const option = options.find((one) => one === value)
  if (option === undefined)
    throw invalidField(name, refusals.unknownOption({ options: options.join(', '), value: value.slice(0, 40) }))
  return { [name]: option }
}

/** Reads another sheet of a workbook, and detects its format and kind again. */
export async function chooseSheet(site: Site, request: PageRequest): Promise<Response> {
  const fileContext = await requireFile(site, request)
  const { context, file } = fileContext
  const sent = await readFormFields(request.req.raw)
  try {
    const workbook = await context.read((db) => readStoredWorkbook(db, file.id))
    const { table, header, total } = await runInFairQueue(context.company.id, () =>
      readTable(workbook, sent.get('sheet') ?? ''),
    )
    const { source, kind } = detectFormat(
      SOURCE_FORMATS,
      header,
      parseOption<ImportKind>('kind', KINDS, sent.get('kind') ?? ''),
    )
    requireImportable(context.caller, kind)
    await context.write((db) => saveSheet(db, file.id, { source, kind, total }, table))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return columnsPage(fileContext, undefined, error)
  }
  return redirect(context.path('settings', 'import', file.id, 'columns'))
}
