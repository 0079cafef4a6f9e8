import type { Texts } from '../../texts.ts'

/**
 * Texts of the mobile app about a full phone, several companies, a new version, and handing over work to the office.
 */
export const phone_more: Texts = {
  '1 act of {0} waits on this phone. It goes when that person signs in here.':
    'En este teléfono espera 1 acción de {0}. Saldrá cuando esa persona inicie sesión aquí.',
  '1 act waits at another company. It goes from its page:':
    'Hay 1 acción que espera en otra empresa. Sale desde su página:',
  'A new version is here.': 'Hay una versión nueva.',
  'Add photos': 'Agregar fotos',
  'Choose photos': 'Elegir fotos',
  'Take or choose a photo.': 'Tome o elija una foto.',
  'Choose {0} photos at most.': 'Elija {0} fotos como máximo.',
  'Before or after the work': 'Antes o después del trabajo',
  'Before the work': 'Antes del trabajo',
  'After the work': 'Después del trabajo',
  Neither: 'Ninguno de los dos',
  'As it would be sent': 'Tal como se enviaría',
  'This photo is not in the file.': 'Esta foto no está en el archivo.',
  'Use it now': 'Usarla ahora',
  'What {0} did and could not send': 'Lo que {0} hizo y no pudo enviar',
  'You don’t have permission to add photos to visits.': 'No tiene permiso para agregar fotos a las visitas.',
  'A photo can be up to 10 MB.': 'Una foto puede tener hasta 10 MB.',
  'Too many photos are waiting. Send what is on this phone first.':
    'Hay demasiadas fotos en espera. Envíe primero lo que está en este teléfono.',
  'This is too long to send. Make it shorter.': 'Esto es demasiado largo para enviarlo. Acórtelo.',
  'You have the new version.': 'Ya tiene la versión nueva.',
  '{0} acts wait at another company. They go from its page:':
    'Hay {0} acciones que esperan en otra empresa. Salen desde su página:',
}
