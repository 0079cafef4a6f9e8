import type { Texts } from '../../texts.ts'

export const factors: Texts = {
  'A passkey has five minutes. Try again.': 'Una llave de acceso tiene cinco minutos. Inténtelo de nuevo.',
  'A passkey signs you in with your fingerprint, face or PIN, and counts as two factors. Nobody can guess it or ask you for it.':
    'Con una llave de acceso entra con su huella, su cara o su PIN, y cuenta como dos factores. ' +
    'Nadie puede adivinarla ni pedírsela.',
  'Add a passkey': 'Agregar una llave de acceso',
  'Add a passkey or set up an authenticator app to continue. Your API keys and connected apps work as before.':
    'Agregue una llave de acceso o configure una aplicación de autenticación, y sigue a donde quería ir. ' +
    'Sus claves de API y sus aplicaciones conectadas funcionan como antes.',
  'Added {0}': 'Agregada el {0}',
  'An app on your phone shows a six-digit code. You enter it after your password.':
    'Una aplicación en su teléfono muestra un código de seis dígitos. Se le pide después de la contraseña.',
  'Require a second factor': 'Exigir un segundo factor',
  Required: 'Obligatorio',
  'Authenticator app': 'Aplicación de autenticación',
  'Check it and try again.': 'Revísela e inténtelo de nuevo.',
  "Codes from your app can't be checked right now": 'Ahora no se pueden comprobar los códigos de su aplicación',
  'The key that encrypts its secret is missing here. Use a recovery code or a passkey, and tell this service’s administrator.':
    'Aquí falta la llave con la que está sellado su secreto. ' +
    'Use un código de recuperación o una llave de acceso, y avise a quien administra este servicio.',
  Code: 'Código',
  Confirm: 'Confirmar',
  'Confirm with a passkey': 'Confirmar con una llave de acceso',
  'Each code works once. Wait for the next one and try again.':
    'Cada código sirve una vez. Espere el siguiente e inténtelo de nuevo.',
  "Use a code after your password when you don't have the app. Each code works once. Save these codes now. You won't see them again.":
    'Use un código después de la contraseña cuando no tenga la aplicación. Cada código sirve una vez. ' +
    'Guarde estos códigos ahora. No los volverá a ver.',
  'Had their second factors reset': 'Se restablecieron sus segundos factores',
  'I saved these codes': 'Ya guardé estos códigos',
  "Confirm it's you, {0}": 'Confirme que es usted, {0}',
  "Confirm it's you": 'Confirme que es usted',
  'This passkey no longer works here. Delete it from the device too.':
    'Esta llave de acceso ya no funciona aquí. Elimínela también del dispositivo.',
  'It was removed, or belongs to another account. Remove it from this device and sign in another way.':
    'Se quitó, o es de otra cuenta. Quítela de este dispositivo y entre de otra manera.',
  'Save these recovery codes': 'Guarde estos códigos de recuperación',
  'last used {0}': 'usada por última vez el {0}',
  'Make it optional': 'Hacerlo opcional',
  'Lost the app and the codes? An owner of your company or this service’s administrator can reset your second factor.':
    '¿Perdió la aplicación y los códigos? ' +
    'Un propietario de su empresa puede restablecer su segundo factor, o quien administra este servicio.',
  'Had their second factors removed by a reset': 'Perdió sus segundos factores: se restablecieron',
  'Create new recovery codes': 'Crear códigos de recuperación nuevos',
  'Name of a new passkey': 'Nombre de una llave de acceso nueva',
  'not used yet': 'todavía sin usar',
  'Not you, or none of these works?': '¿No es usted, o nada de esto funciona?',
  'Your changes are kept.': 'Sus cambios se conservan.',
  On: 'Activada',
  'On all your devices': 'En todos sus dispositivos',
  'On one device': 'En un dispositivo',
  'One member has one.': 'Un miembro tiene uno.',
  '{0} members have one.': '{0} miembros tienen uno.',
  'One more step': 'Un paso más',
  'One recovery code is left.': 'Queda un código de recuperación.',
  '{0} recovery codes are left.': 'Quedan {0} códigos de recuperación.',
  'Or type the secret into the app:': 'O escriba el secreto en la aplicación:',
  Passkey: 'Llave de acceso',
  Passkeys: 'Llaves de acceso',
  'Passkeys need an https address with a name. This service has none.':
    'Las llaves de acceso necesitan una dirección https con nombre. Este servicio no la tiene.',
  'Passkeys need JavaScript, which is off in this browser.':
    'Las llaves de acceso necesitan JavaScript, que está apagado en este navegador.',
  'QR code for the authenticator app; the secret is below as text':
    'Código QR para la aplicación de autenticación; el secreto está abajo como texto',
  'Recovery codes': 'Códigos de recuperación',
  'Remove the app': 'Quitar la aplicación',
  Rename: 'Cambiar el nombre',
  'Rename or remove': 'Cambiar el nombre o quitar',
  'Reset passkeys and second factors': 'Restablecer llaves de acceso y segundos factores',
  'Scan this with the app on your phone.': 'Escanee esto con la aplicación de su teléfono.',
  'Second factor': 'Segundo factor',
  'Set a password': 'Crear una contraseña',
  'Set up an authenticator app': 'Configurar una aplicación de autenticación',
  'Confirm with your second factor to continue: a passkey, or a code from your app.':
    'Confirme con su segundo factor para continuar: una llave de acceso o un código de su aplicación.',
  'Sign in with a passkey': 'Entrar con una llave de acceso',
  'Sign out and in again': 'Cerrar la sesión y entrar de nuevo',
  'Signing in': 'Inicio de sesión',
  'Six digits from your authenticator app, or a recovery code':
    'Seis dígitos de su aplicación de autenticación, o un código de recuperación',
  'Such as Work phone. Empty: the name of this browser.':
    'Por ejemplo, Teléfono del trabajo. Vacío: el nombre de este navegador.',
  "Thank you, it's you": 'Gracias, es usted',
  'That took too long': 'Tardó demasiado',
  "That didn't work. Nothing was changed. Try again, or use another way.":
    'No funcionó. No se cambió nada. Inténtelo de nuevo o use otra manera.',
  'The authenticator app was removed.': 'Se quitó la aplicación de autenticación.',
  'The passkey could not be checked': 'No se pudo comprobar la llave de acceso',
  'The passkey could not be checked. Try again.': 'No se pudo comprobar la llave de acceso. Inténtelo de nuevo.',
  'The passkey could not be checked. Try again, or choose a password.':
    'No se pudo comprobar la llave de acceso. Inténtelo de nuevo, o elija una contraseña.',
  'The passkey was added.': 'Se agregó la llave de acceso.',
  'The passkey was removed.': 'Se quitó la llave de acceso.',
  'The second factors were reset.': 'Se restablecieron los segundos factores.',
  'They are signed out everywhere, and sign in with their password.':
    'Se cerraron todas sus sesiones, y entra con su contraseña.',
  'Incorrect code': 'Código incorrecto',
  'Incorrect password': 'Contraseña incorrecta',
  'Unknown passkey': 'Llave de acceso desconocida',
  'Turn it on': 'Activarla',
  'Enter the six digits that the app shows.': 'Escriba los seis dígitos que muestra la aplicación.',
  Optional: 'Opcional',
  'Use a passkey': 'Usar una llave de acceso',
  'Use a passkey instead': 'Usar una llave de acceso en su lugar',
  'Use one that asks for your fingerprint, face or PIN, at this address. Or sign in another way.':
    'Use una que le pida su huella, su cara o su PIN, en esta dirección. O entre de otra manera.',
  'If you require it, members without a passkey or an authenticator app set one up before they can open this company. Existing API keys and connected apps keep working; new ones need it.':
    'Donde es obligatorio, un miembro sin llave de acceso ni aplicación de autenticación configura una antes ' +
    'de que se abra esta empresa. Las claves de API y las aplicaciones ya conectadas funcionan como antes; ' +
    'las nuevas lo necesitan.',
  'They sign in with their password after this, and set up a new one. They are signed out everywhere, and outside accounts are unlinked.':
    'Después entra con su contraseña y configura una nueva. ' +
    'Se cierran todas sus sesiones y se desvinculan las cuentas externas.',
  'Lost phone or passkey': 'Teléfono o llave de acceso perdidos',
  'Without one: {0}': 'Sin él: {0}',
  'Wrong second-factor code': 'Código equivocado del segundo factor',
  'You have no password: you sign in by passkey. Set one to have another way.':
    'No tiene contraseña: inicia sesión con una llave de acceso. Cree una para tener otra manera.',
  'You signed in a while ago. Confirm this important change.':
    'Inició sesión hace un rato. Confirme este cambio importante.',
  '{0} requires a second factor': '{0} pide un segundo factor a todos',
}
