import type { Texts } from '../texts.ts'

export const records: Texts = {}
