/** Maximum size in bytes of a file, and of a workbook's sheet as CSV. */
export const MAX_FILE_BYTES = 5 * 2 ** 20
/** Maximum number of rows below the header. */
export const MAX_ROWS = 5_000
/** Maximum number of lines, including empty ones and those within cells. */
export const MAX_LINES = 4 * MAX_ROWS
export const MAX_COLUMNS = 200
/** Maximum number of characters in a cell. */
export const MAX_CELL_LENGTH = 20_000
/** Maximum number of characters in a row. */
export const MAX_ROW_LENGTH = 512 * 1024
