import type { Texts } from '../texts.ts'

/** Holds the texts of a phone that is full, of several companies, of a new version, and of what it hands to the office. */
export const phone_more: Texts = {
  'A new version is here.': 'Hay una versión nueva.',
  'As it would be sent': 'Tal como se enviaría',
  'This photo is not in the file.': 'Esta foto no está en el archivo.',
  'Use it now': 'Usarla ahora',
  'What {0} did and could not send': 'Lo que {0} hizo y no pudo enviar',
  'You have the new version.': 'Ya tiene la versión nueva.',
  '{0} acts wait at another company. They go from its page:':
    'Hay {0} acciones que esperan en otra empresa. Salen desde su página:',
}
