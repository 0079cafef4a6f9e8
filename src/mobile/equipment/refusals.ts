import { defineRefusals } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('mobile.equipment', {
  noDate: {
    agent: 'must be a date, YYYY-MM-DD',
    en: 'Enter the date it was installed.',
    es: 'Escriba la fecha de instalación.',
  },
  tooMany: {
    agent: 'a location has at most {max} pieces of equipment; remove one first',
    en: 'A location can have up to {max, number} pieces of equipment. Remove one first.',
    es: 'Una ubicación puede tener hasta {max, number} equipos. Quite uno primero.',
  },
})
