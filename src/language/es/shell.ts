import type { Texts } from '../texts.ts'

export const shell: Texts = {}
