import type { Texts } from '../texts.ts'

export const outbox: Texts = {}
