import type { FormField } from '../fields/form_field.ts'
import type { RecordField } from './field.ts'

/** Returns the fields of a record's form: those named first, in that order, then all others as they are declared. */
export function formFields<Fields extends Readonly<Record<string, RecordField>>>(
  { fields }: { fields: Fields },
  first: readonly (keyof Fields & string)[] = [],
): FormField[] {
  const names = new Set<string>([...first, ...Object.keys(fields)])
  return [...names].flatMap((name) => {
    const { form, label = () => name } = fields[name] as RecordField
    return form === undefined ? [] : form({ name, label: label() })
  })
}
