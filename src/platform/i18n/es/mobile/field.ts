import type { Texts } from '../../texts.ts'

/** Texts of the mobile app. */
export const field: Texts = {
  'About {0} minutes': 'Unos {0} minutos',
  'Customer asked for another time': 'El cliente pidió otra hora',
  'Each remaining visit of the day gets one message, by text if possible. Customers who opted out get none.':
    'Cada visita del día que no ha empezado recibe un mensaje, de texto antes que correo. ' +
    'Quien no quiere ninguno, no lo recibe.',
  'Let technicians notify the next customers': 'Permitir que los técnicos avisen a los siguientes clientes',
  'Needs a second person': 'Hace falta otra persona',
  'No one is home': 'No hay nadie',
  'On hold: {0}': 'En espera: {0}',
  'One customer was notified': 'Se avisó a un cliente',
  'Running late': 'Con retraso',
  'Running late, by {0}': 'Con retraso, por {0}',
  "Saved. Customers aren't notified of delays.": 'Guardado. No se avisa a los clientes de los retrasos.',
  'Saved. Technicians can notify customers of a delay.':
    'Guardado. Los técnicos pueden avisar a los clientes de un retraso.',
  'Used, though the visit was canceled: {0} × {1}': 'Usado, aunque la visita se canceló: {0} × {1}',
  'Waiting for a part': 'Falta una pieza',
  'When a technician runs late': 'Cuando un técnico va con retraso',
  'To the next customers when a technician is late, if you allow it':
    'A los siguientes clientes cuando un técnico va tarde, si usted lo permite',
  Weather: 'Mal tiempo',
  '{0} customers were notified': 'Se avisó a {0} clientes',
  '{0} said they run late': '{0} dijo que va con retraso',
}
