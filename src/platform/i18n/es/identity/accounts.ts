import type { Texts } from '../../texts.ts'

/** Texts about accounts: mail to people, address verification, forgotten passwords, notices. */
export const accounts: Texts = {
  'You are now the only one with access to this account.': 'Ahora solo usted tiene acceso a esta cuenta.',
  'Access before you joined': 'Accesos anteriores',
  'None. No one else could sign in to your account.': 'Ninguno. Nadie más podía entrar en su cuenta.',
  'These could open your account before {0} UTC. None of them works now.':
    'Esto podía abrir su cuenta antes del {0} UTC. Ya nada de eso funciona.',
  'Create the keys and connect the apps that you still need again.':
    'Vuelva a crear las claves y a conectar las aplicaciones que todavía necesite.',
  'Ways to sign in': 'Formas de iniciar sesión',
  'A password': 'Una contraseña',
  'An authenticator app': 'Una aplicación de autenticación',
  'Linked account: {0}': 'Cuenta vinculada: {0}',
  'Passkey: {0}, since {1}': 'Llave de acceso: {0}, desde el {1}',
  '{0} UTC': '{0} UTC',
  'Signed-in browsers': 'Navegadores con la sesión iniciada',
  'Unknown device': 'Dispositivo desconocido',
  'Choose a new password. Everything else that could sign in to this account stops working: browsers, passkeys, authenticator apps, linked accounts, keys and connected apps.':
    'Elija una contraseña nueva. Todo lo demás que podía entrar en esta cuenta deja de funcionar: ' +
    'navegadores, llaves de acceso, aplicaciones de autenticación, cuentas vinculadas, claves y aplicaciones conectadas.',
  'Everything that could sign in before stops working: browsers, passkeys, authenticator apps, linked accounts, keys and connected apps.':
    'Todo lo que antes podía entrar deja de funcionar: ' +
    'navegadores, llaves de acceso, aplicaciones de autenticación, cuentas vinculadas, claves y aplicaciones conectadas.',
  "One passkey still signs you in. After you sign in, remove it under Settings if you don't recognize it.":
    'Una llave de acceso sigue abriendo la cuenta. ' +
    'Después de iniciar sesión, quítela en Configuración si no la reconoce.',
  "{0} passkeys still sign you in. After you sign in, remove those you don't recognize under Settings.":
    '{0} llaves de acceso siguen abriendo la cuenta. ' +
    'Después de iniciar sesión, quite en Configuración las que no reconozca.',
  'Confirm this address': 'Confirmar esta dirección',
  'Is this your email address?': '¿Es este su correo electrónico?',
  'Someone who signs in to Callout as {0} entered this address as theirs. If that was you, open this link within 24 hours and press the button:':
    'Alguien que inicia sesión en Callout como {0} dice que esta dirección es suya. ' +
    'Si es usted, abra este enlace en las próximas 24 horas y presione el botón:',
  "If it wasn't you, ignore this email. The link works only with that account's password.":
    'Si no es usted, ignore este correo. El enlace solo funciona con la contraseña de esa cuenta.',
  'Sign in with this email address?': '¿Iniciar sesión con este correo electrónico?',
  'Someone who signs in to Callout as {0} wants to sign in with this address from now on. If that was you, open this link within 24 hours and press the button:':
    'Alguien que inicia sesión en Callout como {0} quiere usar esta dirección de ahora en adelante. ' +
    'Si es usted, abra este enlace en las próximas 24 horas y presione el botón:',
  'Set a new password': 'Crear una contraseña nueva',
  'We received a request to reset the password for this address. If it was you, open this link within an hour:':
    'Recibimos una solicitud para restablecer la contraseña de esta dirección. ' +
    'Si fue usted, abra este enlace en la próxima hora:',
  "If it wasn't you, ignore this email. Your password won't change.":
    'Si no fue usted, ignore este correo. Su contraseña no cambia.',
  'You are invited to work with {0} in Callout.': 'Tiene una invitación para trabajar con {0} en Callout.',
  '{0} invites you to work with {1} in Callout.': '{0} le invita a trabajar con {1} en Callout.',
  'Open this link to join. It works once and for 14 days:':
    'Abra este enlace para unirse. Sirve una vez y durante 14 días:',
  "If you don't know {0}, ignore this email.": 'Si no conoce a {0}, ignore este correo.',
  'New API key in your name': 'Nueva clave de API a su nombre',
  '“{0}”, at {1}.': '«{0}», en {1}.',
  'New app connected to your account': 'Nueva aplicación conectada a su cuenta',
  'New sign-in to your account': 'Nuevo inicio de sesión en su cuenta',
  '{0}, network {1}.': '{0}, red {1}.',
  'Network {0}.': 'Red {0}.',
  'Your password was changed': 'Se cambió su contraseña',
  'You were signed out on all devices.': 'Se cerró su sesión en todos los dispositivos.',
  'Your password was reset': 'Se restableció su contraseña',
  'A password reset link was created': 'Se creó un enlace para restablecer su contraseña',
  'Your email address was changed': 'Se cambió su correo electrónico',
  'You now sign in with {0}.': 'Ahora inicia sesión con {0}.',
  'Your sign-in settings changed': 'Cambió su forma de iniciar sesión',
  'A second factor was added or removed.': 'Se agregó o se quitó un segundo factor.',
  'Confirm your email address': 'Confirme su correo electrónico',
  "We'll send you a link. Then you can reset your password yourself if you forget it.":
    'Le enviaremos un enlace. Así podrá restablecer su contraseña por su cuenta si la olvida.',
  'By an owner of {0}.': 'Lo hizo un propietario de {0}.',
  "By this service's administrator.": 'Lo hizo el administrador de este servicio.',
  'Through a link sent to your address.': 'Con un enlace enviado a su dirección.',
  'Was this you? If not, change your password and end your sessions.':
    '¿Fue usted? Si no, cambie su contraseña y cierre sus sesiones.',
  'Check your email': 'Revise su correo',
  'If we can send that address a link, it is on its way. It works once, for one hour.':
    'Si podemos enviar un enlace a esa dirección, ya va en camino. Sirve una vez, durante una hora.',
  "Didn't get it? Check your spam folder, or ask an owner of your company for a link.":
    '¿No llegó? Revise el correo no deseado o pida un enlace a un propietario de su empresa.',
  'This service doesn’t send mail yet. Its administrator can find yours with callout mail list.':
    'Este servicio todavía no envía correo. Quien lo administra encuentra el suyo con callout mail list.',
  'Forgotten password': 'Contraseña olvidada',
  "We'll email you a link.": 'Le enviaremos un enlace por correo.',
  'Send link': 'Enviar enlace',
  'Get help': 'Obtener ayuda',
  'This service sends no mail.': 'Este servicio no envía correo.',
  'An owner of your company can make you a link that sets a new password: under Settings, Members, your name. If you belong to several companies, ask this service’s administrator.':
    'Un propietario de su empresa puede crearle un enlace para elegir una contraseña nueva: ' +
    'en Configuración, Miembros, su nombre. Si pertenece a varias empresas, pregunte a quien administra este servicio.',
  'You were signed out on all devices. Sign in with your new password.':
    'Se cerró su sesión en todos los dispositivos. Inicie sesión con su contraseña nueva.',
  'For {0}. This signs you out on all devices.': 'Para {0}. Se cierra su sesión en todos los dispositivos.',
  'New password': 'Contraseña nueva',
  'They work without the password. API keys: {0}; connected apps: {1}.':
    'Funcionan sin la contraseña. Claves de API: {0}; aplicaciones conectadas: {1}.',
  'Set password': 'Guardar contraseña',
  'Not now': 'Ahora no',
  'Got it': 'Entendido',
  'Notices about your account': 'Avisos sobre su cuenta',
  'One notice about your account': 'Un aviso sobre su cuenta',
  'No new notices.': 'No hay avisos nuevos.',
  'This was me': 'Fui yo',
  'What should we call you?': '¿Cómo se llama usted?',
  'Your name': 'Su nombre',
  '{0} notices about your account': '{0} avisos sobre su cuenta',
  Dismissed: 'Descartado',
  'A link is on its way to {0}.': 'Un enlace va en camino a {0}.',
  "This link can't be used": 'Este enlace no se puede usar',
  'It was already used or has expired. Request a new one.': 'Ya se usó o venció. Pida uno nuevo.',
  'Your email address is confirmed': 'Su correo electrónico está confirmado',
  'Is this address yours?': '¿Es suya esta dirección?',
  'Sign in with this address?': '¿Iniciar sesión con esta dirección?',
  '{0} is confirmed.': '{0} está confirmado.',
  'From now on you sign in with {0}.': 'De ahora en adelante inicia sesión con {0}.',
  'The account of {0}': 'La cuenta de {0}',
  "Press this only if you sign in as {0} yourself. Your password confirms it. It doesn't sign you in here.":
    'Presione solo si usted mismo inicia sesión como {0}. ' +
    'La contraseña muestra que es usted; no se inicia sesión aquí con ella.',
  'Password of this account': 'Contraseña de esta cuenta',
  'Yes, this is my address': 'Sí, es mi dirección',
  'Use this address': 'Usar esta dirección',
  'Open this link in the browser in which you are signed in.':
    'Abra este enlace en el navegador en el que tiene la sesión iniciada.',
  'Creates a link that sets a new password, once, within 24 hours. Don’t give it to anyone else. The person is notified.':
    'Crea un enlace para elegir una contraseña nueva, que sirve una vez, en las próximas 24 horas. ' +
    'No se lo dé a nadie más: la persona recibe un aviso.',
  'Give this link to {0}': 'Dé este enlace a {0}',
  "You won't see this link again. It works once, within 24 hours.":
    'No volverá a ver este enlace. Sirve una vez, en las próximas 24 horas.',
  'Send by mail': 'Enviar por correo',
  'Send again': 'Enviar de nuevo',
  'Send invite': 'Enviar la invitación',
  'Create invite link': 'Crear enlace de invitación',
  Confirmed: 'Confirmado',
  'Not confirmed yet': 'Sin confirmar',
  "Confirm that it's yours. Then you can reset your own password if you forget it, and other companies can add you.":
    'Confirme que es suyo. Así podrá elegir una contraseña nueva por su cuenta si olvida la suya, ' +
    'y otras empresas podrán agregarlo.',
  "This service sends no mail, so an address can't be confirmed or changed here.":
    'Este servicio no envía correo, así que aquí no se puede confirmar ni cambiar una dirección.',
  'Confirm address': 'Confirmar dirección',
  'Use another address': 'Usar otra dirección',
  'New email address': 'Correo electrónico nuevo',
  "We'll send a link to the new address. Open it to complete the change.":
    'Enviaremos un enlace a la dirección nueva. Ábralo para completar el cambio.',
  'Your password': 'Su contraseña',
  'Forgot your password?': '¿Olvidó su contraseña?',
}
