import type { FormField } from '../fields/form_field.ts'
import type { RecordField } from './field.ts'

/**
 * Returns the fields of a record's form: those of `first` in that order, by name or as fields that no column holds, then
 * all others as they are declared.
 */
export function formFields<Fields extends Readonly<Record<string, RecordField>>>(
  { fields }: { fields: Fields },
  first: readonly ((keyof Fields & string) | FormField)[] = [],
): FormField[] {
  const all = new Set<string | FormField>([...first, ...Object.keys(fields)])
  return [...all].flatMap((one) => {
    if (typeof one !== 'string') return one
    const { form, label = () => one } = fields[one] as RecordField
    return form === undefined ? [] : form({ name: one, label: label() })
  })
}
