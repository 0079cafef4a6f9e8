import type { Texts } from '../texts.ts'

export const sending: Texts = {}
