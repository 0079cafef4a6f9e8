import type { FormField } from '../fields/form_field.ts'
import type { RecordField } from './field.ts'

/**
 * Returns the fields of a record's form: first those of `order`, by name or as extra form fields, then all others in
 * the order of their declaration.
 */
export function formFields<Fields extends Readonly<Record<string, RecordField>>>(
  { fields }: { fields: Fields },
  order: readonly ((keyof Fields & string) | FormField)[] = [],
): FormField[] {
  const rest = Object.keys(fields).filter((name) => !order.includes(name))
  return [...order, ...rest].flatMap((one) => {
    if (typeof one !== 'string') return one
    const { form, label = () => one } = fields[one] as RecordField
    return form === undefined ? [] : form({ name: one, label: label() })
  })
}
