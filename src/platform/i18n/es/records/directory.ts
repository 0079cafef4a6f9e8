import type { Texts } from '../../texts.ts'

/** Holds what leads to the page on privacy, in Spanish. */
export const directory: Texts = { Privacy: 'Privacidad' }
