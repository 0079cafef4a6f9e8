import { contacts, locations } from './choices.ts'
import { choiceField } from './fields.ts'
import type { FormField } from './form_field.ts'

/**
 * Makes the fields of where and with whom something is; nothing chosen is the customer's main one for a new record, and
 * none for a saved one.
 */
export const locationFields = (group?: string): FormField[] =>
  both({ name: 'location_id', label: 'Location', options: locations, usual: "The customer's main location" }, group)

export const contactFields = (group?: string): FormField[] =>
  both({ name: 'contact_id', label: 'Contact', options: contacts, usual: "The customer's main contact" }, group)

type About = { name: string; label: string; options: NonNullable<FormField['options']>; usual: string }

const both = ({ usual, ...about }: About, group: string | undefined): FormField[] => [
  choiceField({ ...about, ...(group === undefined ? {} : { group }), on: 'create', none: usual }),
  choiceField({ ...about, ...(group === undefined ? {} : { group }), on: 'update', none: 'None' }),
]
