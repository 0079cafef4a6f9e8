import { invalidField } from '../../platform/errors/refusal.ts'
import { rawCsvOf } from '../../platform/validation/csv.ts'
import { MAX_FILE_BYTES } from '../reading/limits.ts'
import type { Epoch } from '../reading/day_numbers.ts'
import { brokenWorkbook, inflateEntry, withParts, type WorkbookParts } from './archive.ts'
import { readNumberStyles, readSharedStrings } from './shared.ts'
import { sheetRows, type SheetContext } from './sheet.ts'
import { parseXml, type XmlHandler } from './xml.ts'
import { refusals } from './refusals.ts'

/** Maximum size in bytes of an unpacked sheet, and of any other part. */
const MAX_SHEET_BYTES = 48 * 2 ** 20
const MAX_PART_BYTES = 16 * 2 ** 20
/** Maximum number of sheets to choose from. */
const MAX_SHEETS = 50
/** Maximum length of a sheet's name. Spreadsheets allow 31. */
const MAX_NAME = 100

/** Sheet of a workbook as CSV, with the names of all visible sheets. */
type SheetCsv = { sheets: readonly string[]; sheet: string; epoch: Epoch; csv: Buffer }

/** Checks for the signature of a ZIP archive, which every workbook is. */
export const isArchive = (content: Buffer): boolean => content.toString('hex', 0, 4) === '504b0304'

/**
 * Returns a sheet of a workbook (ECMA-376) as the CSV a spreadsheet would save: the named one, or the first with rows.
 * Ignores hidden sheets.
 */
export const readWorkbook = (content: Buffer, requestedSheet?: string): Promise<SheetCsv> =>
  withParts(content, async (parts) => {
    const book = await readBook(parts)
    const context = await contextOf(parts, book)
    const names = book.sheets.map(({ name }) => name)
    for (const { name, part } of book.sheets) {
      if (requestedSheet !== undefined && name !== requestedSheet) continue
      const csv = await csvOf(parts, part, context)
      if (csv.length > 0 || requestedSheet !== undefined) return { sheets: names, sheet: name, epoch: book.epoch, csv }
    }
    throw invalidField('file', requestedSheet === undefined ? refusals.empty() : refusals.unknownSheet())
  })

type Sheet = { name: string; part: string }
type Book = { sheets: readonly Sheet[]; epoch: Epoch; links: readonly Link[] }
type Link = { id: string; type: string; target: string }

async function readBook(parts: WorkbookParts): Promise<Book> {
  const main = (await linksOf(parts, '')).find(({ type }) => type === 'officeDocument')?.target
  if (main === undefined || !parts.entries.has(main)) throw invalidField('file', refusals.otherArchive())
  if (!main.endsWith('.xml')) throw invalidField('file', refusals.otherKind())
  const links = await linksOf(parts, main)
  const worksheets = new Map(links.filter(({ type }) => type === 'worksheet').map(({ id, target }) => [id, target]))
  const sheets: Sheet[] = []
  let epoch: Epoch = 1900
  await readPart(parts, main, {
    open: (name, attributes) => {
      if (name === 'workbookPr' && ['1', 'true', 'on'].includes(attributes.get('date1904') ?? '')) epoch = 1904
      const part = name === 'sheet' ? worksheets.get(attributes.get('id') ?? '') : undefined
      const isVisible = (attributes.get('state') ?? 'visible') === 'visible'
      if (part === undefined || !isVisible || sheets.length === MAX_SHEETS) return
      sheets.push({ name: sheetName(attributes.get('name') ?? ''), part })
    },
  })
  if (sheets.length === 0) throw invalidField('file', refusals.hidden())
  return { sheets, epoch, links }
}

/** Cleans a sheet's name for storage and display. */
const sheetName = (name: string): string =>
  name
    .slice(0, MAX_NAME)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')

/** Returns the internal relationships of a part (ECMA-376 part 2, 9.3), with paths within the archive. */
async function linksOf(parts: WorkbookParts, part: string): Promise<Link[]> {
  const [folder, name] = [part.slice(0, part.lastIndexOf('/') + 1), part.slice(part.lastIndexOf('/') + 1)]
  const links: Link[] = []
  const path = `${folder}_rels/${name}.rels`
  if (!parts.entries.has(path)) return links
  await readPart(parts, path, {
    open: (element, attributes) => {
      if (element !== 'Relationship' || attributes.get('TargetMode') === 'External') return
      const [id = '', type = '', target = ''] = ['Id', 'Type', 'Target'].map((name) => attributes.get(name))
      links.push({ id, type: type.slice(type.lastIndexOf('/') + 1), target: resolveTarget(folder, target) })
    },
  })
  return links
}

/** Resolves a relationship's target against a folder. */
const resolveTarget = (folder: string, target: string): string =>
  (URL.parse(target, `part:/${folder}`)?.pathname ?? '').replace(/^\//, '').toLowerCase()

async function contextOf(parts: WorkbookParts, { links, epoch }: Book): Promise<SheetContext> {
  const [strings, styles] = [readSharedStrings(), readNumberStyles()]
  for (const [type, handler] of [
    ['sharedStrings', strings],
    ['styles', styles],
  ] as const) {
    const part = links.find((one) => one.type === type)?.target
    if (part !== undefined && parts.entries.has(part)) await readPart(parts, part, handler)
  }
  return { strings: strings.texts, styles: styles.styles, epoch }
}

/** Returns a sheet as CSV. Each row is on the line of its number unless a cell has several lines. */
async function csvOf(parts: WorkbookParts, part: string, context: SheetContext): Promise<Buffer> {
  const lines: Buffer[] = []
  let size = 0
  let last = 0
  const handler = sheetRows(context, ({ number, cells }) => {
    const line = Buffer.from('\n'.repeat(number - last - 1) + rawCsvOf(cells))
    last = number
    size += line.length
    if (size > MAX_FILE_BYTES) throw invalidField('file', refusals.tooMuchText({ max: MAX_FILE_BYTES / 2 ** 20 }))
    lines.push(line)
  })
  await readPart(parts, part, handler, MAX_SHEET_BYTES)
  return Buffer.concat(lines)
}

async function readPart(parts: WorkbookParts, name: string, handler: XmlHandler, max = MAX_PART_BYTES): Promise<void> {
  const entry = parts.entries.get(name)
  if (entry === undefined) throw brokenWorkbook()
  await parseXml(inflateEntry(parts, entry, max), handler)
}
