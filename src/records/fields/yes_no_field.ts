import { select } from '../../platform/html/parts/field.ts'
import { fieldValue, type FormField } from './form_field.ts'

type FieldOptions = Pick<FormField, 'name' | 'label' | 'group' | 'isHalf' | 'fold' | 'isFor'> & {
  help?: string
  yes: string
  no: string
}

/** Builds a yes/no select with labels. A new form starts with yes, unlike an empty checkbox. */
export const yesNoField = ({ yes, no, help, ...about }: FieldOptions): FormField => ({
  ...about,
  toEntries: (value) => (typeof value === 'boolean' ? [[about.name, value ? 'yes' : 'no']] : []),
  read: (values) => (fieldValue(values, about.name) === '' ? undefined : fieldValue(values, about.name) === 'yes'),
  html: (values, { error }) =>
    select({
      name: about.name,
      label: about.label,
      help,
      error,
      chosen: values.get(about.name) ?? '',
      options: [
        { value: 'yes', label: yes },
        { value: 'no', label: no },
      ],
    }),
})
