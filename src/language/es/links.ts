import type { Texts } from '../texts.ts'

export const links: Texts = {}
