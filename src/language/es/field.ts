import type { Texts } from '../texts.ts'

/** Holds the texts of what a technician's phone sends. */
export const field: Texts = {
  'Customer asked for another time': 'El cliente pidió otra hora',
  'Needs a second person': 'Hace falta otra persona',
  'Nobody is there': 'No hay nadie',
  'On hold: {0}': 'En espera: {0}',
  'Used, though the visit was canceled: {0} × {1}': 'Usado, aunque la visita se canceló: {0} × {1}',
  'Waiting for a part': 'Falta una pieza',
  Weather: 'Mal tiempo',
}
