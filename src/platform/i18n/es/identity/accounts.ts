import type { Texts } from '../../texts.ts'

/** Texts about accounts: mail to people, address verification, forgotten passwords, notices. */
export const accounts: Texts = {
  'This account is yours alone now.': 'Ahora esta cuenta es solo suya.',
  'What was there before you': 'Lo que había antes de usted',
  'Nothing. Nobody else could sign in to your account.': 'Nada. Nadie más podía entrar en su cuenta.',
  'These could open your account before {0} UTC. None of them works any more.':
    'Esto podía abrir su cuenta antes del {0} UTC. Ya nada de eso funciona.',
  'Make the keys and connect the apps that you still need again.':
    'Vuelva a crear las claves y a conectar las aplicaciones que todavía necesite.',
  'Ways to sign in': 'Formas de iniciar sesión',
  'A password': 'Una contraseña',
  'An authenticator app': 'Una aplicación de autenticación',
  'Linked account: {0}': 'Cuenta vinculada: {0}',
  'Passkey: {0}, since {1}': 'Llave de acceso: {0}, desde el {1}',
  '{0} UTC': '{0} UTC',
  'Signed-in browsers': 'Navegadores con la sesión iniciada',
  'Unknown device': 'Dispositivo desconocido',
  'Choose a new password. Everything else that could sign in to this account ends: browsers, passkeys, authenticator apps, linked accounts, keys and connected apps.':
    'Elija una contraseña nueva. Todo lo demás que podía entrar en esta cuenta deja de funcionar: navegadores, llaves de acceso, aplicaciones de autenticación, cuentas vinculadas, claves y aplicaciones conectadas.',
  'Everything that could sign in before ends: browsers, passkeys, authenticator apps, linked accounts, keys and connected apps.':
    'Todo lo que antes podía entrar deja de funcionar: navegadores, llaves de acceso, aplicaciones de autenticación, cuentas vinculadas, claves y aplicaciones conectadas.',
  "One passkey goes on signing in. After you sign in, remove it under Settings if you don't know it.":
    'Una llave de acceso sigue abriendo la cuenta. Después de iniciar sesión, quítela en Configuración si no la reconoce.',
  "{0} passkeys go on signing in. After you sign in, remove those under Settings that you don't know.":
    '{0} llaves de acceso siguen abriendo la cuenta. Después de iniciar sesión, quite en Configuración las que no reconozca.',
  'Confirm this address': 'Confirmar esta dirección',
  'Is this your e-mail address?': '¿Es este su correo electrónico?',
  'Somebody who signs in to Callout as {0} says that this address is theirs. If that is you, open this link within 24 hours and press the button:':
    'Alguien que inicia sesión en Callout como {0} dice que esta dirección es suya. Si es usted, abra este enlace en las próximas 24 horas y presione el botón:',
  "If it isn't you, do nothing. Without the password of that account the link does nothing either.":
    'Si no es usted, no haga nada. Sin la contraseña de esa cuenta, el enlace tampoco hace nada.',
  'Sign in with this e-mail address?': '¿Iniciar sesión con este correo electrónico?',
  'Somebody who signs in to Callout as {0} wants to sign in with this address from now on. If that is you, open this link within 24 hours and press the button:':
    'Alguien que inicia sesión en Callout como {0} quiere usar esta dirección de ahora en adelante. Si es usted, abra este enlace en las próximas 24 horas y presione el botón:',
  'Set a new password': 'Poner una contraseña nueva',
  'Somebody asked for a new password for the account with this address. If that was you, open this link within an hour:':
    'Alguien pidió una contraseña nueva para la cuenta con esta dirección. Si fue usted, abra este enlace en la próxima hora:',
  "If it wasn't you, do nothing: your password stays as it is.":
    'Si no fue usted, no haga nada: su contraseña sigue igual.',
  'You are invited to work with {0} in Callout.': 'Tiene una invitación para trabajar con {0} en Callout.',
  '{0} invites you to work with {1} in Callout.': '{0} le invita a trabajar con {1} en Callout.',
  'Open this link to join. It works once and for 14 days:':
    'Abra este enlace para unirse. Sirve una vez y durante 14 días:',
  "If you don't know {0}, do nothing.": 'Si no conoce {0}, no haga nada.',
  'A new API key was made in your name': 'Se creó una clave de API nueva a su nombre',
  '“{0}”, at {1}.': '“{0}”, en {1}.',
  'A new app is connected to your account': 'Una aplicación nueva está conectada a su cuenta',
  'Somebody signed in on a new device': 'Alguien inició sesión en un dispositivo nuevo',
  '{0}, network {1}.': '{0}, red {1}.',
  'Network {0}.': 'Red {0}.',
  'Your password was changed': 'Su contraseña se cambió',
  'Everybody who was signed in is signed out.': 'Se cerraron todas las sesiones abiertas.',
  'Your password was set anew': 'Su contraseña se puso de nuevo',
  'A link was made that sets your password anew': 'Se creó un enlace que pone de nuevo su contraseña',
  'Your e-mail address was changed': 'Su correo electrónico se cambió',
  'You now sign in with {0}.': 'Ahora inicia sesión con {0}.',
  'How you sign in was changed': 'Cambió la forma en que inicia sesión',
  'A second step was added or taken away.': 'Se agregó o se quitó un segundo paso.',
  'Confirm your e-mail address': 'Confirme su correo electrónico',
  'We send you a link. Then you can set a new password by yourself if you ever forget yours.':
    'Le enviamos un enlace. Así podrá poner una contraseña nueva por su cuenta si algún día olvida la suya.',
  'By an owner of {0}.': 'Lo hizo un propietario de {0}.',
  'By whoever runs this service.': 'Lo hizo quien administra este servicio.',
  'By a link that was sent to your address.': 'Con un enlace enviado a su dirección.',
  'Was this you? If not, change your password and end your sessions.':
    '¿Fue usted? Si no, cambie su contraseña y cierre sus sesiones.',
  'Look at your mail': 'Revise su correo',
  'If we can send that address a link, it is on its way. It works once, for one hour.':
    'Si podemos enviar un enlace a esa dirección, ya va en camino. Sirve una vez, durante una hora.',
  'Nothing came? Look among the unwanted mail. Where no link may be sent, an owner of your company can make you one.':
    '¿No llegó nada? Mire en el correo no deseado. Donde no se puede enviar un enlace, un propietario de su empresa puede crearle uno.',
  'This service sends no mail yet. Whoever runs it finds yours with callout mail list.':
    'Este servicio todavía no envía correo. Quien lo administra encuentra el suyo con callout mail list.',
  'Forgotten password': 'Contraseña olvidada',
  'We send you a link.': 'Le enviamos un enlace.',
  'Send link': 'Enviar enlace',
  'Who can help you': 'Quién puede ayudarle',
  'This service sends no mail.': 'Este servicio no envía correo.',
  'An owner of your company can make you a link that sets a new password: under Settings, Members, your name. If you belong to several companies, ask whoever runs this service.':
    'Un propietario de su empresa puede crearle un enlace que pone una contraseña nueva: en Configuración, Miembros, su nombre. Si pertenece a varias empresas, pregunte a quien administra este servicio.',
  'Your new password is set': 'Su contraseña nueva está puesta',
  'Everybody who was signed in is signed out. Sign in with it.':
    'Se cerraron todas las sesiones abiertas. Inicie sesión con ella.',
  'For {0}. Everybody who is signed in with it is signed out.':
    'Para {0}. Se cierran todas las sesiones abiertas con esa dirección.',
  'New password': 'Contraseña nueva',
  'They work without the password. API keys: {0}; connected apps: {1}.':
    'Funcionan sin la contraseña. Claves de API: {0}; aplicaciones conectadas: {1}.',
  'Set the password': 'Poner la contraseña',
  'Send me the link': 'Enviarme el enlace',
  'Not now': 'Ahora no',
  'Got it': 'Entendido',
  'Notices about your account': 'Avisos sobre su cuenta',
  'One notice about your account': 'Un aviso sobre su cuenta',
  'There is nothing new.': 'No hay nada nuevo.',
  'This was me': 'Fui yo',
  'What should we call you?': '¿Cómo se llama usted?',
  'Your name': 'Su nombre',
  '{0} notices about your account': '{0} avisos sobre su cuenta',
  'Put away': 'Guardado aparte',
  'A link is on its way to {0}.': 'Un enlace va en camino a {0}.',
  "This link can't be used": 'Este enlace no se puede usar',
  'It was used already, or is too old. Ask for a new one.': 'Ya se usó o es demasiado viejo. Pida uno nuevo.',
  'Your e-mail address is confirmed': 'Su correo electrónico está confirmado',
  'Your e-mail address is changed': 'Su correo electrónico está cambiado',
  'Is this address yours?': '¿Es suya esta dirección?',
  'Sign in with this address?': '¿Iniciar sesión con esta dirección?',
  '{0} is yours.': '{0} es suyo.',
  'From now on you sign in with {0}.': 'De ahora en adelante inicia sesión con {0}.',
  'The account of {0}': 'La cuenta de {0}',
  "Press only if you sign in as {0} yourself. The password shows that it is you; you aren't signed in here by it.":
    'Presione solo si usted mismo inicia sesión como {0}. La contraseña muestra que es usted; no se inicia sesión aquí con ella.',
  'Password of this account': 'Contraseña de esta cuenta',
  'Yes, it is mine': 'Sí, es mío',
  'Use this address': 'Usar esta dirección',
  'Open this link in the browser in which you are signed in.':
    'Abra este enlace en el navegador en el que tiene la sesión iniciada.',
  'Creates a link that sets a new password, once, within 24 hours. Give it to nobody else: the person is told.':
    'Crea un enlace que pone una contraseña nueva, una vez, en 24 horas. No se lo dé a nadie más: la persona recibe un aviso.',
  'Give this link to {0}': 'Dé este enlace a {0}',
  'It is shown once, and sets a new password once, within 24 hours.':
    'Se muestra una vez y pone una contraseña nueva una vez, en 24 horas.',
  'Send by mail': 'Enviar por correo',
  'Send again': 'Enviar de nuevo',
  'Send invite': 'Enviar la invitación',
  'Create invite link': 'Crear enlace de invitación',
  Confirmed: 'Confirmado',
  'Not confirmed yet': 'Sin confirmar',
  'Confirm that it is yours. Then you can set a new password by yourself if you forget yours, and other companies can add you.':
    'Confirme que es suyo. Así podrá poner una contraseña nueva por su cuenta si olvida la suya, y otras empresas podrán agregarlo.',
  "This service sends no mail, so an address can't be confirmed or changed here.":
    'Este servicio no envía correo, así que aquí no se puede confirmar ni cambiar una dirección.',
  'Confirm it': 'Confirmarlo',
  'Use another address': 'Usar otra dirección',
  'New e-mail address': 'Correo electrónico nuevo',
  'We send a link there. The address changes once you have opened it.':
    'Enviamos ahí un enlace. La dirección cambia cuando lo haya abierto.',
  'Your password': 'Su contraseña',
  'Forgot your password?': '¿Olvidó su contraseña?',
}
