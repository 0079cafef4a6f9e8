import type { Texts } from '../texts.ts'

export const calls: Texts = {}
