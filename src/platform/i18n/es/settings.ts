import type { Texts } from '../texts.ts'

export const settings: Texts = {
  'A former member': 'Un miembro anterior',
  'A company key, not tied to a person': 'Una clave de la empresa, no de una persona',
  'A new role starts with the usual permissions of that role':
    'Un rol nuevo empieza con los permisos habituales de ese rol',
  Access: 'Acceso',
  Added: 'Agregado',
  'Also revoke my API keys and connected apps, in every company':
    'Revocar también mis claves de API y aplicaciones conectadas, en todas las empresas',
  'API key created: {0}': 'Clave de API creada: {0}',
  'API keys': 'Claves de API',
  "Apps that members connected. Changes here take effect with the app's next request.":
    'Aplicaciones que conectaron los miembros. Los cambios valen desde la siguiente solicitud de la aplicación.',
  'Customers and colleagues see this name in every company':
    'Sus clientes y colegas ven este nombre en todas las empresas',
  'Same as my browser': 'El mismo que en mi navegador',
  'At least 12 characters. You will be signed out on your other devices.':
    'Al menos 12 caracteres. Se cerrará su sesión en los demás dispositivos.',
  'Back to settings': 'Volver a la configuración',
  'Belongs to': 'Pertenece a',
  'Cancel invite': 'Cancelar invitación',
  'Change password': 'Cambiar contraseña',
  Calendar: 'Calendario',
  'Calendar: my visits': 'Calendario: mis visitas',
  'Calendar: all visits': 'Calendario: todas las visitas',
  'Calendar address created': 'Dirección del calendario creada',
  "Copy the address now. You won't see it again. Anyone who has it can see these visits.":
    'Copie la dirección ahora. No la volverá a ver. Quien la tenga puede ver estas visitas.',
  "Open in this device's calendar": 'Abrir en el calendario de este dispositivo',
  "See visits in Google Calendar, Outlook or your phone's calendar.":
    'Vea las visitas en Google Calendar, Outlook o el calendario de su teléfono.',
  'Changes show up there each time that program checks the address.':
    'Los cambios aparecen allí cada vez que ese programa consulta la dirección.',
  'All visits of the company': 'Todas las visitas de la empresa',
  'Create calendar address': 'Crear dirección del calendario',
  'Google Calendar: Other calendars, From URL, and paste the address.':
    'Google Calendar: Otros calendarios, Desde URL, y pegue la dirección.',
  'Outlook: Add calendar, Subscribe from web, and paste the address.':
    'Outlook: Agregar calendario, Suscribirse desde la web, y pegue la dirección.',
  'iPhone: open the address on the phone, or Settings, Calendar, Accounts, Add Subscribed Calendar.':
    'iPhone: abra la dirección en el teléfono, o Configuración, Calendario, Cuentas, Agregar calendario suscrito.',
  'Each address is an API key that can only read visits. Revoke it under API keys.':
    'Cada dirección es una clave de API que solo puede leer visitas. Revóquela en Claves de API.',
  'Client ID': 'Id. de cliente',
  'Client secret': 'Secreto del cliente',
  'Connected apps': 'Aplicaciones conectadas',
  'Connected by {0} on {1}': 'Conectada por {0} el {1}',
  'Connected by': 'Conectada por',
  "Copy the key now. You won't see it again. Store it where only your program can read it.":
    'Copie la clave ahora. No la volverá a ver. Guárdela donde solo pueda leerla su programa.',
  "Copy the secret now. You won't see it again.": 'Copie el secreto ahora. No lo volverá a ver.',
  'Create client': 'Crear cliente',
  'Create key': 'Crear clave',
  'Current password': 'Contraseña actual',
  Disconnect: 'Desconectar',
  'Expires {0}': 'Vence {0}',
  Expires: 'Vence',
  "Can't be changed after the first quote, plan or invoice":
    'No se puede cambiar después de la primera cotización, plan o factura',
  'For customers without terms of their own': 'Para clientes sin plazo propio',
  'For every visit and due date': 'Para todas las visitas y fechas de vencimiento',
  Invitations: 'Invitaciones',
  'Invite a member': 'Invitar a un miembro',
  'Invoice number prefix': 'Prefijo del número de factura',
  'Not tied to a person. It can read data and change only a few things.':
    'No pertenece a una persona. Puede leer datos y cambiar solo unas pocas cosas.',
  'It can only go up. No number is skipped or used twice.':
    'Solo puede subir. Ningún número se salta ni se usa dos veces.',
  Language: 'Idioma',
  'Last used': 'Último uso',
  'Leave empty for a key that never expires': 'Déjelo vacío para una clave que no vence',
  Mailboxes: 'Buzones',
  'Members see it when they are asked to approve': 'Los miembros lo ven cuando se les pide aprobar',
  'Messages that customers send here show up on their record.':
    'Los mensajes que los clientes envían aquí aparecen en su registro.',
  Name: 'Nombre',
  Never: 'Nunca',
  'New address': 'Dirección nueva',
  'New API key': 'Nueva clave de API',
  'New number': 'Número nuevo',
  'New OAuth client': 'Nuevo cliente OAuth',
  'New password': 'Contraseña nueva',
  'Next invoice number': 'Siguiente número de factura',
  'No API keys yet. With a key, a program can use the tools without a browser.':
    'Todavía no hay claves de API. Con una clave, un programa usa las herramientas sin navegador.',
  'No apps connected yet. How to connect shows the address to add in your assistant.':
    'Todavía no hay aplicaciones conectadas. En Cómo conectar está la dirección que se agrega en su asistente.',
  'No mailboxes yet.': 'Todavía no hay buzones.',
  'No members yet.': 'Todavía no hay miembros.',
  'No numbers yet.': 'Todavía no hay números.',
  'No OAuth clients yet.': 'Todavía no hay clientes OAuth.',
  'Numbers and mailboxes': 'Números y buzones',
  'OAuth client created: {0}': 'Cliente OAuth creado: {0}',
  'OAuth clients': 'Clientes OAuth',
  'one API key': 'una clave de API',
  'one connected app': 'una aplicación conectada',
  'One per line, exactly as the client sends it': 'Una por línea, exactamente como la envía el cliente',
  'Open the operator page': 'Abrir la página del operador',
  'Owners can do everything.': 'Los propietarios pueden hacer todo.',
  'Payment terms in days': 'Plazo de pago en días',
  'Printed at the top': 'Se imprime arriba',
  'Redirect URIs': 'URI de redirección',
  'Register a server of your own that can keep a secret. Assistants register themselves and need nothing from this page.':
    'Registre un servidor propio que pueda guardar un secreto. ' +
    'Los asistentes se registran solos y no necesitan nada de esta página.',
  Removed: 'Quitado',
  Revoke: 'Revocar',
  Revoked: 'Revocada',
  Saved: 'Guardado',
  'SMS numbers': 'Números de SMS',
  'Maximum access': 'Acceso máximo',
  "Only this service's administrator can add them.": 'Solo el administrador de este servicio los puede agregar.',
  'They are signed out of this company at once, and their API keys and connected apps stop working. Their quotes move to an owner.':
    'Su sesión en esta empresa termina enseguida, ' +
    'y sus claves de API y aplicaciones conectadas dejan de funcionar. Sus cotizaciones pasan a un propietario.',
  'To connect an MCP client:': 'Para conectar un cliente MCP:',
  'To give the app more access, connect it again from the app.':
    'Para darle más acceso, conéctela de nuevo desde la aplicación.',
  'What it can see and change': 'Qué puede ver y cambiar',
  Purpose: 'Propósito',
  'Working without your password: {0}, {1}.': 'Funcionan sin su contraseña: {0}, {1}.',
  'You also belong to {0}.': 'También pertenece a {0}.',
  'You are an operator of this service.': 'Usted es operador de este servicio.',
  'You were signed out on your other devices.': 'Se cerró su sesión en los demás dispositivos.',
  'You have no API keys or connected apps in use.': 'No tiene claves de API ni aplicaciones conectadas en uso.',
  'What you can do': 'Lo que puede hacer',
  You: 'Usted',
  'Your profile': 'Su perfil',
  'Company profile': 'Perfil de la empresa',
  'Leaving the company': 'Salida de la empresa',
  'Your password was changed': 'Se cambió su contraseña',
  'Your role': 'Su rol',
  '{0} API keys': '{0} claves de API',
  '{0} connected apps': '{0} aplicaciones conectadas',
}
