import type { Texts } from '../../texts.ts'

export const company_provider: Texts = {
  'A second outside account signs in as you': 'Una segunda cuenta externa inicia sesión como usted',
  'A second outside account signs in as {0}': 'Una segunda cuenta externa inicia sesión como {0}',
  '{0}, at {1}.': '{0}, en {1}.',
  "Both are under Settings, Sign-ins. Unlink the one that isn't yours.":
    'Encontrará las dos en la configuración, en Sesiones. Desvincule la que no sea suya.',
  "Ask them whether the new account is theirs. Their accounts are on their page, under Settings, Members. Unlink the one that isn't theirs.":
    'Pregúntele si la cuenta nueva es suya. ' +
    'Encontrará las cuentas en la configuración, en su página de Miembros: desvincule la que no sea suya.',
  "Accounts at the company's provider": 'Cuentas en el proveedor de la empresa',
  'First used': 'Primer uso',
  'Each one signs in here as this member. Unlink an account that belongs to somebody else by now.':
    'Cada una inicia sesión aquí como este miembro. Desvincule la cuenta que ahora sea de otra persona.',
  "Had an account of the company's provider unlinked": 'Se le desvinculó una cuenta del proveedor de la empresa',
  'Second factor required': 'Falta un segundo factor',
  'A different issuer or client ID is a different provider. It stays off until you try it, and anyone signed in with it is signed out.':
    'Otro emisor u otro ID de cliente es otro proveedor: ' +
    'está desactivado hasta que lo pruebe, y se cierra la sesión de quien había entrado por él.',
  'What your team calls it': 'Como lo llama su gente',
  "Signed in through the company's provider for the first time": 'Entró por primera vez por el proveedor de la empresa',
  "Changed the company's sign-in provider": 'Cambió el proveedor de inicio de sesión de la empresa',
  'Continue with {0}': 'Continuar con {0}',
  'Join with {0}': 'Unirse con {0}',
  'You can then sign in to this company with {0} too.': 'Después también podrá iniciar sesión en esta empresa con {0}.',
  "You haven't joined {0}": 'Usted no se ha unido a {0}',
  'Confirm who you are to continue.': 'Confirme quién es para continuar.',
  'How you were recognized (amr)': 'Cómo se le reconoció (amr)',
  'It is stored encrypted and never shown. Leave empty for a public client.':
    'Se guarda sellado y no se muestra a nadie. Vacío para un cliente público.',
  'It is off. Anyone signed in with it was signed out.':
    'Está desactivado. Se cerró la sesión de quienes habían entrado por él.',
  'It is now optional.': 'Ahora es una de varias maneras de iniciar sesión.',
  'It is now required for everyone.': 'Ahora es obligatorio para todos.',
  'It says that this address is verified.': 'Dice que esta dirección está verificada.',
  "It doesn't say that this address is verified, so it identifies no one.":
    'No dice que esta dirección esté verificada: no se reconoce a nadie por ella.',
  Provider: 'Proveedor',
  'Another provider': 'Otro proveedor',
  'Directory ID, domain or issuer': 'ID de directorio, dominio o emisor',
  'Microsoft: the directory (tenant) ID. Okta: your domain, such as example.okta.com. Google: leave this empty. Others: the issuer’s https address, such as https://login.example.com.':
    'Microsoft: el ID de directorio (inquilino). Okta: su dominio, como example.okta.com. ' +
    'Google: déjelo vacío. Otros: la dirección https del emisor, como https://login.example.com.',
  'Its name for you (sub)': 'Su nombre para usted (sub)',
  'Members and people you invited can then sign in with it, in addition to the ways they have.':
    'Los miembros y las personas que invitó podrán entonces entrar por él, además de las maneras que tienen.',
  'Members can sign in with it now.': 'Los miembros ya pueden entrar por él.',
  'Members can then use their own accounts too.': 'Los miembros podrán usar entonces también sus propias cuentas.',
  "Members of this company sign in this way. An owner with a second factor can use their own account, for when it doesn't work.":
    'Los miembros de esta empresa entran así. ' +
    'Un propietario con un segundo factor puede usar su propia cuenta, por si no funciona.',
  'Members sign in with the accounts your company gives them, such as their work email. It opens only this company. For their own settings and other companies, they sign in as before.':
    'Los miembros entran con las cuentas que les da su empresa, como las de su correo. ' +
    'Abre solo esta empresa: para su propia configuración y otras empresas inician sesión como antes.',
  "Members can then sign in to this company only through it. Owners with a passkey or an authenticator app can still use their own account, so a broken provider doesn't lock you out. API keys and connected apps work as before.":
    'Los miembros entran entonces a esta empresa solo por él. ' +
    'Los propietarios con una llave de acceso o una aplicación de autenticación aún pueden usar su propia cuenta, ' +
    'para que un proveedor averiado no deje a nadie fuera. ' +
    'Las claves de API y las aplicaciones conectadas funcionan como antes.',
  'Members without their own way to sign in need a link to set a password. Create it under Members.':
    'Los miembros que nunca tuvieron una manera propia eligen una contraseña con un enlace: en Miembros.',
  'Name on the button': 'Nombre en el botón',
  'Nobody in this company has {0}': 'Nadie en esta empresa tiene la dirección {0}',
  'Nothing was done. Try again in a moment. If it happens again, tell an owner of your company.':
    'No se hizo nada. Inténtelo de nuevo en un momento. Si vuelve a ocurrir, avise a un propietario de su empresa.',
  'One account there is forgotten': 'Se olvida una cuenta de allí',
  'One browser is signed out': 'Se cierra la sesión en un navegador',
  'One is saved and never shown. Leave this empty to keep it.':
    'Hay uno guardado, que no se muestra a nadie. Deje esto vacío para conservarlo.',
  'Register this service there as a web application (OpenID Connect) with this redirect address:':
    'Registre allí este servicio como aplicación web (OpenID Connect) con esta dirección de redirección:',
  'Require it for everyone': 'Exigirlo a todos',
  'Sign in to {0}': 'Iniciar sesión en {0}',
  'Sign in with your own account': 'Iniciar sesión con su propia cuenta',
  'Sign in with your own account.': 'Inicie sesión con su propia cuenta.',
  'Sign-in provider': 'Proveedor de inicio de sesión',
  'Remove provider': 'Quitar proveedor',
  'That counts as one factor. It counts as two when the provider says mfa.':
    'Eso cuenta como un factor: son dos donde dice mfa.',
  'That counts as two factors.': 'Eso cuenta como dos factores.',
  'Your company requires you to sign in with its provider. Sign in, and your work is sent.':
    'Su empresa exige iniciar sesión con su proveedor. Inicie sesión y su trabajo se enviará.',
  'The page to sign in on': 'La página para iniciar sesión',
  'Provider removed. Everyone who signed in with it was signed out.':
    'Se quitó el proveedor. Se cerró la sesión de quienes habían entrado con él.',
  'This belongs to your own account': 'Esto pertenece a su propia cuenta',
  'This signs you in to this company only.': 'Con esto entra solo a esta empresa.',
  'This way to sign in is turned off': 'Esta manera de iniciar sesión se desactivó',
  'Check the box to remove it.': 'Marque la casilla para quitarlo.',
  Tried: 'Probado',
  'Test provider': 'Probar proveedor',
  'Try it, then turn it on': 'Pruébelo y después actívelo',
  'Turn off provider': 'Desactivar proveedor',
  'Turn the provider on': 'Activar el proveedor',
  'Anyone signed in with it is signed out.': 'Se cierra la sesión de quienes entraron por él.',
  'Your provider’s administrator can verify it. Then sign in again.':
    'El administrador de su proveedor puede verificarla. Después inicie sesión de nuevo.',
  'Yes, remove the provider': 'Sí, quitar el proveedor',
  'You are signed in to one company only, through its provider. Sign in with your own account to connect this app.':
    'Ha entrado a una sola empresa, por su proveedor. Si esta aplicación se conecta lo decide su propia cuenta.',
  'You are signed in to {0} only, through its provider. Sign in with your own account to see and change what is yours in every company.':
    'Ha entrado solo a {0}, por su proveedor. ' +
    'Inicie sesión con su propia cuenta para ver y cambiar lo que es suyo en todas las empresas.',
  'You go there and come back, and see what it says about you. No one is signed in.':
    'Usted va allí y vuelve, y ve lo que dice de usted. Con ello no entra nadie.',
  "Your company can't add it without you. Open the link of your invitation, and sign in with your own account to accept.":
    'Su empresa no puede agregarla sin usted. ' +
    'Abra el enlace de su invitación e inicie sesión con su propia cuenta para aceptar.',
  'Your company asks for two factors, and its provider asked you for one. Tell an owner: the provider has to ask for a second one, or sign in with your own account here.':
    'Su empresa pide dos factores y su proveedor le pidió uno. ' +
    'Avise a un propietario: el proveedor tiene que pedir un segundo, o inicie sesión aquí con su propia cuenta.',
  'Your provider': 'Su proveedor',
  "by the company's provider": 'por el proveedor de la empresa',
  "by the company's provider, with two factors there": 'por el proveedor de la empresa, con dos factores allí',
  'one member': 'un miembro',
  '{0} accounts there are forgotten': 'Se olvidan {0} cuentas de allí',
  '{0} browsers are signed out': 'Se cierra la sesión en {0} navegadores',
  '{0} does not answer': '{0} no responde',
  '{0} has an account here already': '{0} ya tiene una cuenta aquí',
  '{0} members': '{0} miembros',
  "This service's administrator": 'El administrador de este servicio',
  "{0} turned the company's sign-in provider on": '{0} permite que los miembros entren por un proveedor de la empresa',
  "{0} made the company's sign-in provider the only way to sign in":
    '{0} hizo del proveedor de inicio de sesión de la empresa la única manera de entrar',
  "{0} made the company's sign-in provider optional":
    '{0} hizo del proveedor de inicio de sesión de la empresa una de varias maneras',
  "{0} changed the company's sign-in provider": '{0} puso otro proveedor de inicio de sesión para la empresa',
  "{0} removed the company's sign-in provider": '{0} quitó el proveedor de inicio de sesión de la empresa',
  "{0} turned the company's sign-in provider off": '{0} desactivó el proveedor de inicio de sesión de la empresa',
  'See Settings, Sign-in provider. If it is wrong, fix it there.':
    'Lo encuentra en la configuración, en Proveedor de inicio de sesión. Si no debe ser así, corríjalo allí.',
  'Your company is being moved': 'Su empresa se está trasladando',
  'Nothing was changed. The company is read-only until the move is done. Try again later.':
    'No se cambió nada: hasta que termine solo se puede leer. Inténtelo de nuevo más tarde.',
  'Until the move is done, it is read-only and nobody new can join. Try again later.':
    'Hasta que termine solo se puede leer, y nadie nuevo puede unirse. Inténtelo de nuevo más tarde.',
  "Needed if the provider doesn't say whether an address is verified, such as Microsoft Entra by default. Enter only your company's own domains, such as example.com. Addresses there are then trusted.":
    'Hacen falta si el proveedor no dice si una dirección está verificada, como Microsoft Entra de por sí. ' +
    'Escriba solo dominios de su empresa, como example.com: así se confía en las direcciones de esos dominios.',
  "Your company's domains": 'Dominios de su empresa',
}
