import type { Epoch } from './day_numbers.ts'
import { isArchive, readWorkbook } from '../xlsx/workbook.ts'

/**
 * A file as it is kept: CSV or the sheet of a workbook as CSV, and the workbook where it has more sheets to choose
 * from.
 */
export type StoredTable = {
  content: Buffer
  epoch: Epoch
  sheet: string | null
  sheets: readonly string[]
  workbook: Buffer | null
}

/** Reads a file that somebody sent; of a workbook the sheet that is named, else the first that has rows. */
export async function readUpload(content: Buffer, named?: string): Promise<StoredTable> {
  if (!isArchive(content)) return { content, epoch: 1900, sheet: null, sheets: [], workbook: null }
  const { csv, epoch, sheet, sheets } = await readWorkbook(content, named)
  return { content: csv, epoch, sheet, sheets, workbook: sheets.length > 1 ? content : null }
}
