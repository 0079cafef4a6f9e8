import type { Texts } from '../../texts.ts'

/**
 * Texts of the mobile app about a full phone, several companies, a new version, and handing over work to the office.
 */
export const phone_more: Texts = {
  'Keep as a favorite': 'Guardar como favorito',
  Favorites: 'Favoritos',
  'Charge saved card': 'Cobrar la tarjeta guardada',
  '1 entry by {0} is waiting on this phone. It is sent when that person signs in here.':
    'En este teléfono hay 1 registro de {0} sin enviar. Se enviará cuando esa persona inicie sesión aquí.',
  '1 entry is waiting for another company. Open its page to send it:':
    'Hay 1 registro sin enviar de otra empresa. Abra su página para enviarlo:',
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
  'This photo is no longer on this phone.': 'Esta foto ya no está en este teléfono.',
  'This couldn’t be sent (error {0}). Try again, or send it as a note.':
    'Esto no se pudo enviar (error {0}). Inténtelo de nuevo o envíelo como nota.',
  'This couldn’t be sent. Reload the page and try again.':
    'Esto no se pudo enviar. Vuelva a cargar la página e inténtelo de nuevo.',
  'The service is busy. Try again in a moment.': 'El servicio está ocupado. Inténtelo de nuevo en un momento.',
  'You are signed out. Sign in again.': 'Su sesión se cerró. Inicie sesión de nuevo.',
  'You are no longer a member of this company.': 'Usted ya no es miembro de esta empresa.',
  'Your company requires you to sign in with its provider.': 'Su empresa exige iniciar sesión con su proveedor.',
  'Your company requires a second sign-in step.': 'Su empresa exige un segundo paso para iniciar sesión.',
  'This is another person’s work. They need to sign in to send it.':
    'Este trabajo es de otra persona. Debe iniciar sesión para enviarlo.',
  'You have the new version.': 'Ya tiene la versión nueva.',
  '{0} entries are waiting for another company. Open its page to send them:':
    'Hay {0} registros sin enviar de otra empresa. Abra su página para enviarlos:',
}
