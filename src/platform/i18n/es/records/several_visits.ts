import type { Texts } from '../../texts.ts'

/** Texts of changing several visits of a recurring job at once. */
export const several_visits: Texts = {
  'Apply changes to': 'Aplicar los cambios a',
  'This visit': 'Esta visita',
  'This and the following visits': 'Esta visita y las siguientes',
  'All visits ahead': 'Todas las visitas por venir',
  'Visits keep their own changes, such as their time.':
    'Cada visita conserva lo que se cambió solo en ella, como su hora.',
  'Changed one visit': 'Se cambió una visita',
  'Changed {0} visits': 'Se cambiaron {0} visitas',
  'One keeps its own changes.': 'Una conserva lo que se cambió solo en ella.',
  '{0} keep their own changes.': '{0} conservan lo que se cambió solo en ellas.',
  '{1} changed it with one visit': '{1} lo cambió con una visita',
  '{1} changed it with {0} visits': '{1} lo cambió con {0} visitas',
}
