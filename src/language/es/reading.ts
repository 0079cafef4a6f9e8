import type { Texts } from '../texts.ts'

export const reading: Texts = { 'Other dates': 'Otras fechas' }
