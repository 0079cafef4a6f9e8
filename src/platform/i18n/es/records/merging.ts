import type { Texts } from '../../texts.ts'

export const merging: Texts = {
  'Choose another': 'Elegir otra',
  ', do not service': ', no atender',
  Merge: 'Combinar',
  'Merge these two?': '¿Combinar estos dos?',
  'Merge {0}': 'Combinar {0}',
  'Name, phone, email or tag': 'Nombre, teléfono, correo o etiqueta',
  'No other customer has the same name, phone or email. Search for the other one.':
    'Ningún otro cliente tiene el mismo nombre, teléfono o correo. Busque al otro.',
  'The other one': 'El otro',
  'The two customers': 'Los dos clientes',
  'This one': 'Este',
  What: 'Qué',
  'Which customer is the duplicate?': '¿Qué cliente es el mismo?',
  'Which one stays?': '¿Cuál se queda?',
  "Everything moves to the customer you keep: contacts, locations, jobs, quotes, invoices, plans, notes, messages and tags. Where both have a value, the one you keep wins. The other one is archived, and this can't be undone.":
    'Todo lo de uno pasa al que queda: contactos, ubicaciones, trabajos, cotizaciones, facturas, planes, ' +
    'notas, mensajes y etiquetas. Donde ambos dicen algo, vale el que queda. ' +
    'El otro se archiva, y esto no se puede deshacer.',
}
