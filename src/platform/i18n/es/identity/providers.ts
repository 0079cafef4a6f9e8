import type { Texts } from '../../texts.ts'

export const providers: Texts = {
  'An outside account was linked to yours': 'Se vinculó una cuenta externa a la suya',
  'It signs you in without your password.': 'Con ella entra sin su contraseña.',
  '{0} signs you in without your password.': 'Con {0} entra sin su contraseña.',
  'Outside accounts that sign you in are unlinked. You can link yours again afterwards.':
    'Se desvinculan las cuentas externas con las que entra. Después puede vincular de nuevo la suya.',
  'Also revoke my API keys and connected apps, in every company, and unlink outside accounts':
    'Revocar también mis claves de API y aplicaciones conectadas, en todas las empresas, ' +
    'y desvincular las cuentas externas',
  'An outside account signs you in too.': 'También entra con una cuenta externa.',
  '{0} outside accounts sign you in too.': 'También entra con {0} cuentas externas.',
  Account: 'Cuenta',
  'Ask an owner of your company to invite you.': 'Pida a un propietario de su empresa que le envíe una invitación.',
  'Link {0}': 'Vincular {0}',
  'Linked accounts': 'Cuentas vinculadas',
  'Nobody here has {0}': 'Aquí nadie tiene la dirección {0}',
  'None. With one you sign in without your password.': 'Ninguna. Con una inicia sesión sin su contraseña.',
  'Nothing was done. Sign in again.': 'No se hizo nada. Inicie sesión de nuevo.',
  'Nothing was done. Try again.': 'No se hizo nada. Inténtelo de nuevo.',
  'Nothing was linked. Sign in again.': 'No se vinculó nada. Inicie sesión de nuevo.',
  'Or with your password:': 'O con su contraseña:',
  'Sign in with {0}': 'Iniciar sesión con {0}',
  'Another user is signed in': 'Hay otro usuario con la sesión iniciada',
  'That account is already linked to another user.': 'Esa cuenta ya está vinculada a otro usuario.',
  'The account is unlinked.': 'La cuenta ya no está vinculada.',
  'This sign-in took too long': 'Este inicio de sesión tardó demasiado',
  Unlink: 'Desvincular',
  'Verify it with them, or sign in with your password.': 'Verifíquela con ellos o inicie sesión con su contraseña.',
  'Wait a few minutes, then try again.': 'Espere unos minutos e inténtelo de nuevo.',
  'Your account is linked.': 'Su cuenta está vinculada.',
  "Your email address isn't verified there": 'Su correo no está verificado allí',
  '{0} did not sign you in': '{0} no permitió iniciar su sesión',
}
