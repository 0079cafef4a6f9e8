import type { Texts } from '../texts.ts'

/** Texts for people and companies who leave. */
export const leaving: Texts = {
  'Canceled, and their texts erased.': 'Se cancelan y sus textos se borran.',
  'Download a copy': 'Descargar una copia',
  'As a file for them, or to erase it. Archived customers are found here too.':
    'Como archivo para ellos, o para borrarlo. Aquí también se encuentran los clientes archivados.',
  'Back to members': 'Volver a los miembros',
  'Contacts and addresses': 'Contactos y direcciones',
  'Customer links and signatures': 'Enlaces de cliente y firmas',
  Data: 'Datos',
  Download: 'Descargar',
  'Download the archive': 'Descargar el archivo',
  'Downloaded a member’s data': 'Descargó los datos de un miembro',
  'Erased a former member': 'Borró a un antiguo miembro',
  'History entries, without their name': 'Entradas de historiales, sin su nombre',
  'Erase for good': 'Borrar para siempre',
  'Erase this person': 'Borrar a esta persona',
  'All of your company’s data in one ZIP file: every record as CSV and JSON, messages, photos and files. Passwords, keys and link secrets are left out.':
    'Todo lo de su empresa en un solo archivo ZIP: cada registro en CSV y JSON, mensajes, fotos y archivos. ' +
    'No incluye contraseñas, claves ni los secretos de los enlaces.',
  'All of their data in one ZIP file: records as CSV and JSON, messages, photos and files.':
    'Todos los datos de esta persona en un solo archivo ZIP: registros en CSV y JSON, mensajes, fotos y archivos.',
  "Use this when someone asks to be forgotten. It can't be undone, and a restored backup erases them again.":
    'Úselo cuando alguien pida que se borren sus datos. ' +
    'No se puede deshacer, y una copia restaurada los borra de nuevo.',
  'Erased. An address that opted out is kept in unreadable form, so that nothing is sent there.':
    'Se borran. Una dirección que pidió no recibir más queda en forma ilegible, para que no se le envíe nada.',
  'Archive progress': 'Avance del archivo',
  'How many': 'Cuántos',
  'Invoices and payments': 'Facturas y pagos',
  'Cleared: name, address and password.': 'Se vacía: sin nombre, sin dirección, sin contraseña.',
  "This can't be undone. What they wrote about customers is kept, as written by a former member.":
    'No se puede deshacer. Lo que escribió sobre los clientes se queda, como de un antiguo miembro.',
  'Jobs and recurring jobs': 'Trabajos y trabajos recurrentes',
  'Keep name and address on issued invoices until': 'Conservar nombre y dirección en las facturas emitidas hasta',
  'Keys and apps that will be removed': 'Claves y aplicaciones que se quitarán',
  'Create archive': 'Crear archivo',
  Erased: 'Se borran',
  Member: 'Miembro',
  'Messages and their files': 'Mensajes y sus archivos',
  'Name kept on invoices until': 'Nombre en facturas hasta',
  'No matches.': 'No hay resultados.',
  'No one yet.': 'Nadie todavía.',
  'Notes that are kept, without their name': 'Notas que se quedan, sin su nombre',
  'Numbers, dates and amounts are kept, and the lines of accepted ones. Open ones are archived.':
    'Quedan números, días e importes, y las líneas de los que se aceptaron. Los abiertos se archivan.',
  'Numbers, dates, lines, taxes and amounts are kept, as the law requires. Name, address and texts are erased. Drafts are voided.':
    'Quedan números, días, líneas, impuestos e importes, como exige la ley. Nombre, dirección y textos se van. ' +
    'Los borradores se anulan.',
  'Numbers, times and crews are kept. Texts, lines, photos and files are erased. Open ones are canceled.':
    'Quedan números, horas y equipos; textos, líneas, fotos y archivos se van. Los abiertos se cancelan.',
  'Only where the law requires it. Leave empty to erase them now.':
    'Solo donde la ley lo exige. Déjelo vacío para borrarlos ahora.',
  "Someone who still belongs to the company can't be erased. Remove them first.":
    'No se puede borrar a quien todavía pertenece a la empresa. Quítelo primero.',
  'Erased person': 'Persona borrada',
  'Kept for their other companies. Nothing here links to it anymore.':
    'Se queda para sus otras empresas; aquí ya nada lleva a ella.',
  'Export everything': 'Exportar todo',
  'The archive could not be created. Try again.': 'No se pudo crear el archivo. Inténtelo de nuevo.',
  'The archive is being created.': 'Se está creando el archivo.',
  'The archive is being created. You can leave this page.': 'Se está creando el archivo. Puede salir de esta página.',
  'The archive is ready until {0}: {1} MB.': 'El archivo está listo hasta {0}: {1} MB.',
  'The customer was erased. Their files will be deleted from storage in a moment.':
    'Se borró al cliente. Sus archivos salen del almacenamiento en un momento.',
  'The member was erased.': 'Se borró al miembro.',
  'Their data…': 'Sus datos…',
  'Their profile, membership, sessions, keys, hours, assignments, notes and what they did here, in one ZIP file.':
    'Su perfil, membresía, sesiones, claves, horario, asignaciones, notas y lo que hizo aquí, en un solo archivo ZIP.',
  "Type the customer's name to confirm": 'Escriba el nombre del cliente para confirmar',
  "Type the member's name to confirm": 'Escriba el nombre del miembro para confirmar',
  'What happens': 'Qué pasa',
  'Data about a customer': 'Datos de un cliente',
  'Customer data': 'Datos del cliente',
  'Your data': 'Sus datos',
  'Data about {0}': 'Datos de {0}',
  "What you wrote about them in other customers' records is kept. Look for it first.":
    'Lo que escribió sobre esta persona en registros de otros clientes se queda; búsquelo antes.',
  'Erased people': 'Personas borradas',
  'Your profile, sessions, keys, hours, assignments, notes and what you did in this company, in one ZIP file.':
    'Su perfil, sesiones, claves, horario, asignaciones, notas y lo que hizo en esta empresa, en un solo archivo ZIP.',
}
