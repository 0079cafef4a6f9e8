import type { Texts } from '../texts.ts'

export const conversations: Texts = {}
