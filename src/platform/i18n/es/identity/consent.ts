import type { Texts } from '../../texts.ts'

export const consent: Texts = {
  'A link to connect an app works once, for a short time, and only in the browser where it was started.':
    'Un enlace para conectar una aplicación sirve una vez, por poco tiempo y solo en el navegador donde se empezó.',
  'A program on this device': 'Un programa en este dispositivo',
  'Add it again, with the same address.': 'Agréguelo de nuevo, con la misma dirección.',
  'Allow access': 'Permitir acceso',
  'Allow View everywhere': 'Permitir ver todo',
  'An app on this device': 'Una aplicación en este dispositivo',
  'An owner of {0} added it.': 'La agregó un propietario de {0}.',
  "Any app on this device could have claimed this kind of link. If you didn't start it, deny.":
    'Cualquier aplicación de este dispositivo pudo haber tomado este tipo de enlace. Si usted no lo empezó, rechácelo.',
  "Any program on this device could be waiting for the answer. If you didn't start it, deny.":
    'Cualquier programa de este dispositivo podría estar esperando la respuesta. Si usted no lo empezó, rechácelo.',
  App: 'Aplicación',
  'Catalog & pricing': 'Catálogo y precios',
  'Choose in detail': 'Elegir en detalle',
  'Connect without access': 'Conectar sin acceso',
  'Connect {0}': 'Conectar {0}',
  'Connect {0} to {1}?': '¿Conectar {0} con {1}?',
  'Connect, and you come back here.': 'Conecte, y volverá aquí.',
  'Connection request': 'Solicitud de conexión',
  Continue: 'Continuar',
  'Customers & contacts': 'Clientes y contactos',
  'Customers, contacts, locations and tags': 'Clientes, contactos, ubicaciones y etiquetas',
  Deny: 'Rechazar',
  'Did you start this yourself, just now?': '¿Usted mismo empezó esto, ahora?',
  'Edit everything': 'Editar todo',
  'Edit includes voiding, canceling, ending and deleting.': 'Editar incluye anular, cancelar, terminar y eliminar.',
  'Either you have no permissions in {0}, or this app isn’t registered for any of them. You can connect it, but it can’t see or change anything.':
    'O usted no tiene permisos en {0}, o esta aplicación no se registró para ninguno. ' +
    'Puede conectarla, pero no verá ni cambiará nada.',
  'Everything I can': 'Todo lo que puedo',
  'Go back to the app': 'Volver a la aplicación',
  'Go back to the app and connect it again.': 'Vuelva a la aplicación y conéctela de nuevo.',
  'Continue only if you know this site.': 'Continúe solo si conoce este sitio.',
  'Going back to {0}, which you approved before.': 'Volviendo a {0}, que usted ya aprobó.',
  'In the app, remove this connector.': 'En la aplicación, quite este conector.',
  'Invoices and their amounts': 'Facturas y sus importes',
  "Its request can't be answered. Go back to the app and start again. If that doesn't help, tell its developer:":
    'La solicitud no se puede responder. ' +
    'Vuelva a la aplicación y empiece de nuevo; si no funciona, avise a quien la hizo:',
  'It can never do more than you can. Access lasts for a year, or until the app hasn’t been used for {0} days. You can revoke it at any time in {1}.':
    'Nunca podrá hacer más de lo que puede usted. ' +
    'Dura un año, o hasta que la aplicación no se use por {0} días. Puede retirarlo cuando quiera en {1}.',
  'It opens {0}: links': 'Abre enlaces {0}:',
  'It registered itself. Nobody has checked this name.': 'Se registró sola. Nadie ha comprobado este nombre.',
  'It will work only in this one. Next, you choose what it can do there.':
    'Trabajará solo en esta. Lo que puede hacer ahí viene después.',
  'Jobs & scheduling': 'Trabajos y agenda',
  'Jobs and who does them when': 'Trabajos, quién los hace y cuándo',
  'Maintenance plans': 'Planes de mantenimiento',
  'No company': 'Sin empresa',
  'None: you can’t grant this': 'Ninguno: usted no puede darlo',
  'Notes on any record': 'Notas en cualquier registro',
  'Nothing is chosen yet': 'Todavía no eligió nada',
  'No access was granted': 'No se dio acceso',
  'Please choose again.': 'Elija de nuevo.',
  'Quotes and their amounts': 'Cotizaciones y sus importes',
  'Series of jobs that repeat': 'Series de trabajos que se repiten',
  'Services, materials and their prices': 'Servicios, materiales y sus precios',
  'Set all to': 'Todo en',
  'Set at least one area to View or Edit, or deny.': 'Ponga al menos un área en Ver o Editar, o rechace.',
  'Set every area': 'Fijar todas las áreas',
  'This was meant for someone else. You are signed in as {0} now, so please choose again.':
    'Se le preguntó a otra persona. Ahora la sesión es de {0}; elija de nuevo.',
  'Tax rates on quotes and invoices': 'Tasas de impuesto en cotizaciones y facturas',
  'Texts and emails with customers': 'Mensajes de texto y correos con clientes',
  "The app's registration no longer exists here. Trying again won't help.":
    'La aplicación usa un registro que ya no está aquí. Intentar de nuevo no servirá.',
  "This app can't be connected": 'Esta aplicación no se puede conectar',
  'Add this connector again': 'Hay que agregar este conector de nuevo',
  'This link has expired': 'Este enlace ya venció',
  "This service's administrator added it.": 'La agregó el administrador de este servicio.',
  'It gets no access until you press the button. With View, it sees what you can see and changes nothing.':
    'Hasta que usted presione, no recibe nada. Con Ver, ve lo que usted puede ver y no cambia nada.',
  'Use another account': 'Usar otra cuenta',
  'View everything': 'Ver todo',
  'Your permissions or the app’s request changed since this page was shown.':
    'Sus permisos o la solicitud de la aplicación cambiaron desde que se mostró esta página.',
  'Which company is {0} for?': '¿Para qué empresa es {0}?',
  'You are signed in': 'Sesión iniciada',
  'You are {0} ({1}).': 'Usted es {0} ({1}).',
  'You don’t belong to a company': 'Usted no pertenece a ninguna empresa',
  'You’ll go to': 'Continúa a',
  'You can’t grant any access here': 'Aquí usted no puede dar acceso',
  'You no longer belong to the company that you were connecting.':
    'Ya no pertenece a la empresa por la que se preguntó.',
  '{0} can be connected by a member of a company. Ask an owner to add you, then connect it again.':
    '{0} la puede conectar un miembro de una empresa. Pida a un propietario que lo agregue y conéctela de nuevo.',
  '{0} connected a new app': '{0} conectó una aplicación nueva',
  '{0} asks to connect an app': '{0} pide conectar una aplicación',
  'An owner approved an app': 'Un propietario aprobó una aplicación',
  '“{0}”, at {1}. You can connect it now.': '«{0}», en {1}. Ya puede conectarla.',
  'An owner declined an app': 'Un propietario rechazó una aplicación',
  'It is under Settings, Connected apps.': 'Está en la configuración, en Aplicaciones conectadas.',
  "If you didn't ask for it, tell an owner.": 'Si usted no la pidió, avise a un propietario.',
  'App, verified as from': 'Aplicación, verificada como de',
  'It calls itself {0}. Nobody has checked this name.': 'Se llama a sí misma {0}. Nadie ha comprobado este nombre.',
  'Ask an owner': 'Pedir a un propietario',
  'Ask for View everywhere': 'Pedir ver todo',
  'Allow what was approved': 'Permitir lo aprobado',
  'In this company, an owner must approve it first. Until then it gets no access.':
    'En esta empresa primero acepta un propietario. Hasta entonces no recibe nada.',
  'An owner approved: {0}. To get more, ask again.': 'Un propietario aprobó: {0}. Para más que eso se pide de nuevo.',
  'the settings, under Connected apps': 'la configuración, en Aplicaciones conectadas',
  "This app isn't on the list": 'Esta aplicación no está en la lista',
  "In {0} members connect only the apps that an owner has listed. {1} isn't one of them.":
    'En {0} los miembros conectan solo las aplicaciones que un propietario puso en la lista. {1} no es una de ellas.',
  'Ask an owner: {0}.': 'Pregunte a un propietario: {0}.',
  'Host that an owner can add to the list, under Settings, Connected apps':
    'Lo que un propietario agrega a la lista, en la configuración, en Aplicaciones conectadas: el host',
  'Client ID that an owner can add to the list, under Settings, Connected apps':
    'Lo que un propietario agrega a la lista, en la configuración, en Aplicaciones conectadas: el ID de cliente',
  'You are an owner: open the list': 'Usted es propietario: abrir la lista',
  'An owner was asked': 'Se le preguntó a un propietario',
  'You asked to connect {0}: {1}. It gets no access until an owner approves.':
    'Usted pidió conectar {0}: {1}. Hasta que un propietario acepte, no recibe nada.',
  'Owners who can approve: {0}.': 'Propietarios que pueden aprobar: {0}.',
  'You’ll be notified when an owner answers. Then connect the app again.':
    'Se le avisará cuando un propietario responda. Entonces conecte la aplicación de nuevo.',
  'Look again': 'Mirar de nuevo',
  'Ask for something else': 'Pedir otra cosa',
  'An owner declined this app': 'Un propietario rechazó esta aplicación',
  "{0} can't be connected to {1}. If you need it, talk to an owner: {2}.":
    '{0} no se puede conectar con {1}. Si la necesita, hable con un propietario: {2}.',
  'Choose another company': 'Elegir otra empresa',
  'Apps to approve': 'Aplicaciones por aprobar',
  '{0} asks: {1}': '{0} pide: {1}',
  'Which apps members may connect': 'Qué aplicaciones pueden conectar los miembros',
  Policy: 'Regla',
  'One connection would not be allowed now': 'Una conexión no se permitiría ahora',
  '{0} connections would not be allowed now': '{0} conexiones no se permitirían ahora',
  'They were connected before the policy, or before an app was taken off the list, and keep working.':
    'Se conectaron antes de esta regla, o antes de que la aplicación saliera de la lista, y siguen funcionando.',
  'One connection was ended.': 'Se terminó una conexión.',
  '{0} connections were ended.': 'Se terminaron {0} conexiones.',
  'The rule applies from now on. Connected apps stay connected until someone disconnects them.':
    'La regla vale desde ahora. Las aplicaciones conectadas siguen conectadas hasta que alguien las desconecte.',
  'Listed apps': 'Aplicaciones en la lista',
  'Every member may connect these, whatever the policy. Your own OAuth clients, and those of this service’s administrator, are always listed.':
    'Todo miembro puede conectar estas, sea cual sea la regla. ' +
    'Sus propios clientes OAuth, y los de quien administra este servicio, están siempre en la lista.',
  'No apps listed yet.': 'Todavía no hay aplicaciones en la lista.',
  'Host or client ID': 'Host o ID de cliente',
  'Connected, not listed': 'Conectadas, fuera de la lista',
  'Choose one, or write below': 'Elija una, o escriba abajo',
  'A host, such as claude.ai, allows every app that is described there. A client ID allows one registration.':
    'Un host, como claude.ai, incluye toda aplicación que se describe ahí. Un ID de cliente incluye un solo registro.',
  'Add to the list': 'Agregar a la lista',
  Anything: 'Cualquiera',
  'Only listed apps': 'Solo las de la lista',
  'Listed apps; for others they ask an owner first': 'Las de la lista; las demás se piden antes a un propietario',
  'Apps that members asked for': 'Aplicaciones que pidieron los miembros',
  'Described at {0}': 'Se describe en {0}',
  'Nobody has checked this name. It leads to {0}': 'Nadie ha comprobado este nombre. Lleva a {0}',
  'Asked by': 'La pide',
  Answer: 'Respuesta',
  'Approved. The member is notified and can connect the app now.':
    'Aprobada. Se le avisa al miembro, que ya puede conectarla.',
  'Declined. The member is notified.': 'Rechazada. Se le avisa al miembro.',
  Listed: 'En la lista',
  'Not listed': 'Fuera de la lista',
  'Asked an owner for {0}': 'Pidió {0} a un propietario',
  'Was allowed {0}': 'Obtuvo permiso para {0}',
  'Was declined {0}': 'No obtuvo permiso para {0}',
}
