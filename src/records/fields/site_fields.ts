import { say, sayFor } from '../../platform/i18n/say.ts'
import { contacts, locations } from './choices.ts'
import { choiceField } from './fields.ts'
import type { FormField } from './form_field.ts'

/**
 * Makes the fields of where and with whom something is; nothing chosen is the customer's main one for a new record, and
 * none for a saved one.
 */
export const locationFields = (shown: Look = {}): FormField[] =>
  fieldPair(
    {
      name: 'location_id',
      label: say`Location`,
      empty: sayFor('location')`None`,
      options: locations,
      usual: say`The customer's main location`,
    },
    shown,
  )

export const contactFields = (shown: Look = {}): FormField[] =>
  fieldPair(
    {
      name: 'contact_id',
      label: say`Contact`,
      empty: say`None`,
      options: contacts,
      usual: say`The customer's main contact`,
    },
    shown,
  )

type About = { name: string; label: string; empty: string; options: NonNullable<FormField['options']>; usual: string }
type Look = Pick<FormField, 'fold' | 'isHalf'>

const fieldPair = ({ usual, empty, ...about }: About, shown: Look): FormField[] => [
  choiceField({ ...about, ...shown, on: 'create', none: usual }),
  choiceField({ ...about, ...shown, on: 'update', none: empty }),
]
