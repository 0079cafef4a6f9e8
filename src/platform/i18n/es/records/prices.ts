import type { Texts } from '../../texts.ts'

/** Texts of scheduled price changes. */
export const prices: Texts = {
  'Change price from a day': 'Cambiar el precio desde una fecha',
  'The new price is set. Check below what changes.': 'El nuevo precio quedó fijado. Revise abajo lo que cambia.',
  'From that day, everything new uses it. Existing documents keep their prices.':
    'Desde esa fecha se usa en todo lo nuevo. Los documentos que ya existen conservan sus precios.',
  'New price': 'Precio nuevo',
  'Recurring jobs and plans that take it too': 'Trabajos recurrentes y planes que también lo toman',
  'Visits from that day on use it. A visit with its own changes to the work keeps its price.':
    'Lo toman las visitas desde esa fecha. Una visita con líneas cambiadas solo en ella conserva su precio.',
  'Cancel the new price': 'Cancelar el precio nuevo',
  'The price stays as it is': 'El precio queda como está',
  'New price from {0}': 'Precio nuevo desde el {0}',
  'instead of {0}': 'en vez de {0}',
  'Takes effect within the hour.': 'Entra en vigor en menos de una hora.',
  'What changes, and whom to notify': 'Qué cambia y a quién avisar',
  'Recurring work': 'Trabajo recurrente',
  'Starts on': 'Empieza el',
  Now: 'Ahora',
  Then: 'Después',
  'No recurring job or plan changes with it.': 'Ningún trabajo recurrente ni plan cambia con él.',
  '{0} canceled the new price': '{0} canceló el precio nuevo',
  'The new price took effect': 'El precio nuevo entró en vigor',
  '{0} set a new price of {1} from {2}': '{0} fijó un precio nuevo de {1} desde el {2}',
}
