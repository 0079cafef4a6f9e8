import { defineRefusals } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('mobile.signatures', {
  tooMany: {
    agent: 'the work order has {max} signatures, which is the limit',
    en: 'This work order has {max} signatures, which is the limit.',
    es: 'Esta orden de trabajo tiene {max} firmas, que es el máximo.',
  },
})
