import { SOURCE_FORMATS } from '../../imports/formats/index.ts'
import { detectFormat } from '../../imports/formats/source_format.ts'
import { FIXED_FIELDS } from '../../imports/reading/fields.ts'
import { readContent, saveFileMapping, startRun } from '../../imports/reading/imported_file.ts'
import { checkImport } from '../../imports/rows/check.ts'
import { isDocument } from '../../imports/rows/kinds.ts'
import {
  findMapping,
  guessMapping,
  rememberMapping,
  requireValidMapping,
  sampleColumns,
  type Mapping,
} from '../../imports/rows/mapping.ts'
import { importableKinds } from '../../imports/run/rights.ts'
import { runInFairQueue } from '../../imports/run/fair_queue.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { redirect } from '../../platform/http/answer.ts'
import { readFormFields } from '../../platform/http/form.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import type { Site } from '../site.ts'
import { requireFile, toImportContext, waitBriefly, type FileContext } from './import_file.ts'
import { mappingPage } from './mapping_page.ts'

export async function showColumns(site: Site, request: PageRequest): Promise<Response> {
  return columnsPage(await requireFile(site, request))
}

export async function columnsPage(fileContext: FileContext, draft?: Mapping, refusal?: Refusal) {
  const { context, file } = fileContext
  const { header, samples } = await columnsOf(fileContext)
  const remembered = await context.read((db) => findMapping(db, file.kind, header))
  const format = detectFormat(SOURCE_FORMATS, header, { source: file.source, kind: file.kind })
  const mapping = draft ?? file.mapping ?? remembered ?? guessMapping(format, header)
  return mappingPage(context, {
    file,
    header,
    samples,
    mapping,
    isRemembered: file.mapping === null && remembered !== undefined,
    refusal,
    kinds: importableKinds(context.caller),
  })
}

export async function saveColumns(site: Site, request: PageRequest): Promise<Response> {
  const fileContext = await requireFile(site, request)
  const { context, file } = fileContext
  const sent = await readFormFields(request.req.raw)
  const { header } = await columnsOf(fileContext)
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
    return columnsPage(fileContext, mapping, error)
  }
  const run = await context.write(async (db) => {
    await saveFileMapping(db, file.id, mapping, file.source)
    await rememberMapping(db, file.kind, header, mapping)
    return startRun(db, file.id, 'checking')
  })
  await waitBriefly(checkImport(toImportContext(site, context), { ...file, mapping }, run))
  return redirect(context.path('settings', 'import', file.id))
}

/** Returns the columns of a stored file. */
const columnsOf = ({ context, file }: FileContext) =>
  runInFairQueue(context.company.id, async () => sampleColumns(await context.read((db) => readContent(db, file.id))))
