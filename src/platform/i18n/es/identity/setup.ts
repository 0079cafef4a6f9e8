import type { Texts } from '../../texts.ts'

/** Texts of starting a company and setting it up. */
export const setup: Texts = {
  "If you didn't ask for this, ignore this email.": 'Si usted no lo pidió, ignore este correo.',
  'Start another company': 'Crear otra empresa',
  'You already sign in to Callout with this address. Sign in, then start another company here:':
    'Usted ya inicia sesión en Callout con esta dirección. Inicie sesión y cree otra empresa aquí:',
  'Start your company': 'Cree su empresa',
  'Open this link within 24 hours to start your company in Callout. It works once:':
    'Abra este enlace en las próximas 24 horas para crear su empresa en Callout. Funciona una sola vez:',
  'Quotes, invoices, reminders and "on my way" texts go out in your words.':
    'Las cotizaciones, facturas, recordatorios y avisos de «voy en camino» salen con sus palabras.',
  'This service’s administrator connects the mail server and the texting account.':
    'El administrador de este servicio conecta el servidor de correo y la cuenta de mensajes.',
  'Edit message templates': 'Editar plantillas de mensajes',
  'Technicians get their day on the phone, with or without a connection.':
    'Los técnicos tienen su día en el teléfono, con o sin conexión.',
  'You decide what each person sees and changes.': 'Usted decide qué ve y qué cambia cada persona.',
  'Import customers, items and open work from Jobber, Housecall Pro, ServiceTitan or QuickBooks.':
    'Importe clientes, artículos y trabajos abiertos de Jobber, Housecall Pro, ServiceTitan o QuickBooks.',
  'You see what will happen first, and can undo it.': 'Primero verá qué va a pasar, y puede deshacerlo.',
  'Import a file': 'Importar un archivo',
  'Add a customer': 'Agregar un cliente',
  'By default an assistant proposes, and you approve.': 'Normalmente el asistente propone y usted aprueba.',
  'You see every change it made, and can undo it.': 'Usted ve cada cambio que hizo y puede deshacerlo.',
  'Open the assistant': 'Abrir el asistente',
  'Set up your company': 'Configure su empresa',
  'Leave whenever you like: what you saved stays, and Today brings you back.':
    'Salga cuando quiera: lo guardado se queda, y desde Hoy puede continuar.',
  Setup: 'Configuración inicial',
  'Start setup': 'Empezar',
  'Continue setup': 'Continuar la configuración',
  'Go to Today': 'Ir a Hoy',
  'Leave both times empty for a day off.': 'Deje las dos horas vacías si ese día no se trabaja.',
  'Save and continue': 'Guardar y continuar',
  'PNG or JPEG, at most 512 kB': 'PNG o JPEG, de 512 kB como máximo',
  'Your trade': 'Su oficio',
  'Choose your trade to start from a list with usual prices. Or write your own:':
    'Elija su oficio para empezar con una lista de precios habituales. O escriba los suyos:',
  'Create item': 'Crear artículo',
  'Check what you sell, and change prices to yours. Prices are in {0}.':
    'Marque lo que usted vende y ponga sus precios. Los precios son en {0}.',
  'Check what you sell, and enter your prices in {0}.': 'Marque lo que usted vende y escriba sus precios en {0}.',
  'Add to catalog': 'Agregar al catálogo',
  'per {0}': 'por {0}',
  'In your catalog': 'Ya está en su catálogo',
  'Price of {0}': 'Precio de {0}',
  piece: 'pieza',
  pallet: 'tarima',
  yard: 'yarda',
  'One item added to your catalog': 'Se agregó un artículo a su catálogo',
  '{0} items added to your catalog': 'Se agregaron {0} artículos a su catálogo',
  'A link to start your company is on its way. It works once, for 24 hours.':
    'Va en camino un enlace para crear su empresa. Funciona una vez, durante 24 horas.',
  "Didn't get it? Check your spam folder.": '¿No le llegó? Revise su carpeta de correo no deseado.',
  'Customers, schedule, quotes and invoices in one place.':
    'Clientes, agenda, cotizaciones y facturas en un solo lugar.',
  "We'll send you a link.": 'Le enviaremos un enlace.',
  'You have an account? {0}': '¿Ya tiene una cuenta? {0}',
  'You sign in as {0}.': 'Inicia sesión como {0}.',
  'Start company': 'Crear empresa',
  'Choose your time zone': 'Elija su zona horaria',
  'It sets your currency, which you can change before the first invoice.':
    'De él depende su moneda, que puede cambiar antes de la primera factura.',
  'Step {0} of {1}': 'Paso {0} de {1}',
  Finish: 'Terminar',
  'Next step': 'Siguiente paso',
  'Skip for now': 'Omitir por ahora',
  'All steps': 'Todos los pasos',
  'Customers read it on their invoices': 'Los clientes lo leen en sus facturas',
  'Start a company': 'Crear una empresa',
  'Demo company': 'Empresa de demostración',
  'Try anything. All data is made up, and you can reset it.':
    'Pruebe lo que quiera: todo es inventado y puede empezar de nuevo.',
  'Start over': 'Empezar de nuevo',
  'Your own company': 'Su propia empresa',
  'Creates all demo records again. People, passwords and keys stay. It takes a few seconds.':
    'Crea de nuevo todos los registros, como el primer día. ' +
    'Las personas, contraseñas y claves se quedan. Tarda unos segundos.',
  'Reset demo': 'Reiniciar la demostración',
  'Your email': 'Su correo electrónico',
  'Delete the demo company': 'Borrar la empresa de demostración',
  "With all of its records and people. This can't be undone.":
    'Con todos sus registros y personas. No se puede deshacer.',
  'Too many resets. Try again in a few minutes.': 'Demasiados reinicios. Inténtelo en unos minutos.',
  'The demo was reset.': 'La demostración está como el primer día.',
  'Reset it or start your own': 'Reiníciela o cree la suya',
}
