import type { FormField } from '../fields/form_field.ts'
import type { RecordField } from './field.ts'

/**
 * Returns the fields of a record's form: those of `order` first, which names them or adds fields of the form alone,
 * then all others as they are declared.
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
