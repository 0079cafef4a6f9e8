import { say } from '../../platform/i18n/say.ts'
import { textField } from '../fields/fields.ts'
import type { FormField } from '../fields/form_field.ts'
import type { Action } from '../page/screen.ts'
import { findItemSkills } from './catalog_item.ts'

/** Returns the action that sets the skills required for an item; a discount requires none. */
export const skillsActions = ({ id, kind }: { id: string; kind: string }): Action[] =>
  kind === 'discount'
    ? []
    : [
        {
          wire: 'catalog_items_set_skills',
          label: say`Skills`,
          notice: say`Skills saved`,
          kind: 'quiet',
          fields: [skillsField(id)],
        },
      ]

/** Returns the form field for an item's skills, prefilled with the current ones. */
function skillsField(id: string): FormField {
  const field = textField({
    name: 'skills',
    label: say`Skills`,
    help: say`What this work requires, separated by commas, such as Gas, Refrigerant.`,
  })
  return {
    ...field,
    options: async (context) =>
      (await context.read((db) => findItemSkills(db, id))).map((skill) => ({ value: skill, label: skill })),
    html: (values, context) =>
      field.html(
        values.has('skills')
          ? values
          : new URLSearchParams({ skills: context.options.map(({ value }) => value).join(', ') }),
        context,
      ),
  }
}
