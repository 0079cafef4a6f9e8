import { defineRefusals, defineWarnings } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('contacts', {
  extension: {
    agent: 'must be digits',
    en: 'Enter the extension in digits only.',
    es: 'Escriba la extensión solo con dígitos.',
  },
  notOfCustomer: {
    agent: 'is not a live contact of this customer; find its id with contacts_list',
    en: 'Choose one of this customer’s contacts.',
    es: 'Elija uno de los contactos de este cliente.',
  },
  primaryRequired: {
    agent: "can't be removed from the primary contact; set it on another contact with contacts_update",
    en: 'A customer needs a primary contact. Make another contact the primary one instead.',
    es: 'El cliente necesita un contacto principal. Marque otro contacto como principal.',
  },
  unreachable: {
    agent: 'a contact needs one of {fields}',
    en: 'Enter a name, an email address or a phone number for this contact.',
    es: 'Escriba un nombre, un correo o un teléfono para este contacto.',
  },
  listedUnreachable: {
    agent: 'needs one of {fields}',
    en: 'Enter a name, an email address or a phone number for this contact.',
    es: 'Escriba un nombre, un correo o un teléfono para este contacto.',
  },
})

export const warnings = defineWarnings('contacts', {
  samePhone: {
    agent: 'another contact of this customer has the same phone',
    en: 'Another contact of this customer has the same phone number.',
    es: 'Otro contacto de este cliente tiene el mismo teléfono.',
  },
  sameEmail: {
    agent: 'another contact of this customer has the same email',
    en: 'Another contact of this customer has the same email address.',
    es: 'Otro contacto de este cliente tiene el mismo correo.',
  },
  otherCustomer: {
    agent: '{reach} also belongs to customer {name} ({id}); check whether it is the same customer',
    en: '{reach} also belongs to {name}.',
    es: '{reach} también es de {name}.',
  },
})
