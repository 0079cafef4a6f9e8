import type { Texts } from '../../texts.ts'

/** Texts that lead to the privacy page. */
export const directory: Texts = { Privacy: 'Privacidad' }
