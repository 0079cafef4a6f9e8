import type { FormValues } from './form_field.ts'

/** Row of a list on a form: its number and the value entered in each part. */
export type FormRow<Part extends string> = { number: number; of(part: Part): string }

/** Returns the submitted rows of a list in the order of their numbers. Reads the form once for any number of rows. */
export function rowsIn<Part extends string>(values: FormValues, list: string): FormRow<Part>[] {
  const rows = new Map<number, Map<string, string>>()
  for (const [name, value] of values) {
    const [, number, part] =
      (name.startsWith(`${list}.`) ? /^(\d{1,4})\.([a-z]+)$/.exec(name.slice(list.length + 1)) : null) ?? []
    if (part === undefined) continue
    const parts = rows.getOrInsertComputed(Number(number), () => new Map<string, string>())
    if (!parts.has(part)) parts.set(part, value)
  }
  return [...rows]
    .sort(([a], [b]) => a - b)
    .map(([number, parts]) => ({ number, of: (part) => (parts.get(part) ?? '').replaceAll('\r\n', '\n').trim() }))
}

/**
 * Returns the rows after the form button `list.act.place`: one added, removed or moved. There is always at least one.
 */
export function arrangeRows<Part extends string>(
  rows: readonly FormRow<Part>[],
  list: string,
  values: FormValues,
): FormRow<Part>[] {
  const [named, act, at] = (values.get('more') ?? '').split('.')
  const orderedRows = named === list ? moveRow(rows, act ?? '', Number(at)) : [...rows]
  return orderedRows.length === 0 ? [emptyRow(0)] : orderedRows
}

function moveRow<Part extends string>(rows: readonly FormRow<Part>[], act: string, at: number): FormRow<Part>[] {
  const other = act === 'up' ? at - 1 : act === 'down' ? at + 1 : at
  if (act === 'add') return [...rows, emptyRow(rows.length)]
  if (act === 'remove') return rows.filter((_, i) => i !== at)
  if (rows[at] === undefined || rows[other] === undefined) return [...rows]
  return rows.with(at, rows[other]).with(other, rows[at])
}

const emptyRow = <Part extends string>(number: number): FormRow<Part> => ({ number, of: () => '' })
