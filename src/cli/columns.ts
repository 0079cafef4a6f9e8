/** Formats rows as text columns, two spaces apart. */
export function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>((widest, row) => row.map((cell, i) => Math.max(widest[i] ?? 0, cell.length)), [])
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Formats rows like `alignColumns`, with a heading. Without rows, returns `emptyText`. */
export const formatTable = (
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  emptyText: string,
): string => (rows.length === 0 ? emptyText : alignColumns([heading, ...rows]))
