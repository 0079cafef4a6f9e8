import type { Texts } from '../texts.ts'

/** Holds words that pages of several rooms say. */
export const shared: Texts = { Save: 'Guardar', Undo: 'Deshacer' }
