import type { Typed } from './form_field.ts'

/** Describes a row of a list on a form: its number, and what was typed into each of its parts. */
export type FormRow<Part extends string> = { number: number; of(part: Part): string }

/** Returns the rows of a list that were sent, in the order of their numbers; the form is read once, however many there are. */
export function rowsIn<Part extends string>(typed: Typed, list: string): FormRow<Part>[] {
  const rows = new Map<number, Map<string, string>>()
  for (const [name, value] of typed) {
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

/** Returns empty rows to follow those that there are. */
export function spareRows<Part extends string>(rows: readonly FormRow<Part>[], count: number): FormRow<Part>[] {
  const next = (rows.at(-1)?.number ?? -1) + 1
  return Array.from({ length: count }, (_, i) => ({ number: next + i, of: () => '' }))
}
