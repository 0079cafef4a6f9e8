import type { Texts } from '../texts.ts'

export const sign_in: Texts = {}
