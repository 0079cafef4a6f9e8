import { crc32, deflateRawSync } from 'node:zlib'

/** File of an archive. `claims` is a false uncompressed size that the archive declares. */
export type ZippedFile = { name: string; content: string | Buffer; claims?: number }

/** Returns a ZIP archive of files, deflated (APPNOTE 4.3). */
export function zipOf(files: readonly ZippedFile[]): Buffer<ArrayBuffer> {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, claims } of files) {
    const bytes = Buffer.from(content)
    const deflated = deflateRawSync(bytes)
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt16LE(8, 4)
    shared.writeUInt32LE(crc32(bytes), 10)
    shared.writeUInt32LE(deflated.length, 14)
    shared.writeUInt32LE(claims ?? bytes.length, 18)
    shared.writeUInt16LE(Buffer.byteLength(name), 22)
    const at = Buffer.alloc(4)
    at.writeUInt32LE(offset)
    const made = Buffer.concat([Buffer.from('504b0304', 'hex'), shared, Buffer.from(name), deflated])
    bodies.push(made)
    directory.push(Buffer.from('504b01021400', 'hex'), shared, Buffer.alloc(10), at, Buffer.from(name))
    offset += made.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('504b0506', 'hex')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...bodies, listed, end])
}

/** Cell of a sheet: text, number, boolean, empty, raw XML or a styled number. */
export type WorkbookCell = string | number | boolean | null | { xml: string } | { value: number; style: number }
export type WorkbookSheet = {
  name: string
  state?: 'hidden' | 'veryHidden'
  /** Rows from number 1, or the sheet's raw XML. */
  rows: readonly (readonly WorkbookCell[])[] | string
}
export type WorkbookPlan = {
  sheets: readonly WorkbookSheet[]
  is1904?: boolean
  /** Number format codes, by style index from 1. A number is the id of a built-in format. */
  formats?: readonly (string | number)[]
  /** Writes inline strings instead of shared strings. */
  isInline?: boolean
  /** Files that are added to the workbook's own or replace them. */
  more?: readonly ZippedFile[]
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const LINKS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships'

/** Returns an Excel file as spreadsheets write it (ECMA-376). */
export function workbookOf(plan: WorkbookPlan): Buffer<ArrayBuffer> {
  const shared: string[] = []
  const sheets = plan.sheets.map(({ rows }, i) => ({
    name: `xl/worksheets/sheet${i + 1}.xml`,
    content: typeof rows === 'string' ? rows : sheetXml(rows, plan.isInline === true ? undefined : shared),
  }))
  const own: ZippedFile[] = [
    { name: '_rels/.rels', content: linksXml([['rId1', 'officeDocument', 'xl/workbook.xml']]) },
    { name: 'xl/workbook.xml', content: bookXml(plan) },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: linksXml([
        ...plan.sheets.map((_, i): [string, string, string] => [
          `rId${i + 1}`,
          'worksheet',
          `worksheets/sheet${i + 1}.xml`,
        ]),
        ['rIdS', 'sharedStrings', '/xl/sharedStrings.xml'],
        ['rIdF', 'styles', 'styles.xml'],
      ]),
    },
    { name: 'xl/styles.xml', content: stylesXml(plan.formats ?? []) },
    ...sheets,
    {
      name: 'xl/sharedStrings.xml',
      content: `${HEAD}<sst xmlns="${MAIN}">${shared.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    },
  ]
  const more = plan.more ?? []
  return zipOf([...own.filter(({ name }) => !more.some((one) => one.name === name)), ...more])
}

export const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** Returns the XML of a sheet around its rows. */
export const sheetOf = (rows: string): string =>
  `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`

function sheetXml(rows: readonly (readonly WorkbookCell[])[], shared: string[] | undefined): string {
  return sheetOf(
    rows
      .map((cells, r) =>
        cells.length === 0
          ? ''
          : `<row r="${r + 1}">${cells.map((cell, c) => cellXml(cell, `${letters(c)}${r + 1}`, shared)).join('')}</row>`,
      )
      .join(''),
  )
}

const letters = (column: number): string =>
  (column >= 26 ? String.fromCharCode(64 + Math.floor(column / 26)) : '') + String.fromCharCode(65 + (column % 26))

function cellXml(cell: WorkbookCell, at: string, shared: string[] | undefined): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`
  if (typeof cell === 'boolean') return `<c r="${at}" t="b"><v>${Number(cell)}</v></c>`
  if (typeof cell === 'object')
    return 'xml' in cell
      ? cell.xml.replace('<c', `<c r="${at}"`)
      : `<c r="${at}" s="${cell.style}"><v>${cell.value}</v></c>`
  const text = `<t xml:space="preserve">${escapeXml(cell)}</t>`
  if (shared === undefined) return `<c r="${at}" t="inlineStr"><is>${text}</is></c>`
  if (!shared.includes(text)) shared.push(text)
  return `<c r="${at}" t="s"><v>${shared.indexOf(text)}</v></c>`
}

const linksXml = (links: readonly (readonly [id: string, type: string, target: string])[]): string =>
  `${HEAD}<Relationships xmlns="${PACKAGE}">${links
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="${LINKS}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`

const bookXml = ({ sheets, is1904 = false }: WorkbookPlan): string =>
  `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${LINKS}"><workbookPr${is1904 ? ' date1904="1"' : ''}/><sheets>${sheets
    .map(
      ({ name, state }, i) =>
        `<sheet name="${escapeXml(name)}" sheetId="${i + 1}"${state === undefined ? '' : ` state="${state}"`} r:id="rId${i + 1}"/>`,
    )
    .join('')}</sheets></workbook>`

const stylesXml = (formats: readonly (string | number)[]): string =>
  `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts>${formats
    .flatMap((code, i) =>
      typeof code === 'number' ? [] : [`<numFmt numFmtId="${164 + i}" formatCode="${escapeXml(code)}"/>`],
    )
    .join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${formats
    .map((code, i) => `<xf numFmtId="${typeof code === 'number' ? code : 164 + i}" applyNumberFormat="1"/>`)
    .join('')}</cellXfs></styleSheet>`
