import type { FormValues } from './form_field.ts'

/** Row of a list on a form: its number and the value entered in each part. */
export type FormRow<Part extends string> = { number: number; get(part: Part): string }

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
    .map(([number, parts]) => ({ number, get: (part) => (parts.get(part) ?? '').replaceAll('\r\n', '\n').trim() }))
}

/**
 * Returns the rows after the form button `list.action.index`: one added, removed or moved. There is always at least
 * one.
 */
export function arrangeRows<Part extends string>(
  rows: readonly FormRow<Part>[],
  list: string,
  values: FormValues,
): FormRow<Part>[] {
  const [listName, action, index] = (values.get('more') ?? '').split('.')
  const orderedRows = listName === list ? moveRow(rows, action ?? '', Number(index)) : [...rows]
  return orderedRows.length === 0 ? [emptyRow(0)] : orderedRows
}

function moveRow<Part extends string>(rows: readonly FormRow<Part>[], action: string, index: number): FormRow<Part>[] {
  const other = action === 'up' ? index - 1 : action === 'down' ? index + 1 : index
  if (action === 'add') return [...rows, emptyRow(rows.length)]
  if (action === 'remove') return rows.filter((_, i) => i !== index)
  if (rows[index] === undefined || rows[other] === undefined) return [...rows]
  return rows.with(index, rows[other]).with(other, rows[index])
}

const emptyRow = <Part extends string>(number: number): FormRow<Part> => ({ number, get: () => '' })
