import type { Texts } from '../texts.ts'

export const documents: Texts = {}
