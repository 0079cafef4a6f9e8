import type { Texts } from '../texts.ts'

/** Holds the texts of a phone that is full, of several companies, and what it hands to the office. */
export const phone_more: Texts = {
  'As it would be sent': 'Tal como se enviaría',
  'This photo is not in the file.': 'Esta foto no está en el archivo.',
  'What {0} did and could not send': 'Lo que {0} hizo y no pudo enviar',
  '{0} acts wait at another company. They go from its page:':
    'Hay {0} acciones que esperan en otra empresa. Salen desde su página:',
}
