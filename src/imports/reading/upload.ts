import type { Epoch } from './day_numbers.ts'
import { isArchive, readWorkbook } from '../xlsx/workbook.ts'

/** File as stored: as CSV, or a workbook's sheet as CSV. Also the workbook if it has more sheets to choose from. */
export type StoredTable = {
  content: Buffer
  epoch: Epoch
  sheet: string | null
  sheets: readonly string[]
  workbook: Buffer | null
}

/** Reads an uploaded file; of a workbook, the named sheet or else the first one with rows. */
export async function readUpload(content: Buffer, requestedSheet?: string): Promise<StoredTable> {
  if (!isArchive(content)) return { content, epoch: 1900, sheet: null, sheets: [], workbook: null }
  const { csv, epoch, sheet, sheets } = await readWorkbook(content, requestedSheet)
  return { content: csv, epoch, sheet, sheets, workbook: sheets.length > 1 ? content : null }
}
