import type { Texts } from '../../texts.ts'

/** Texts of links to the privacy page. */
export const directory: Texts = { Privacy: 'Privacidad' }
