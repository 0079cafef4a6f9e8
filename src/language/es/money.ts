import type { Texts } from '../texts.ts'

export const money: Texts = {}
