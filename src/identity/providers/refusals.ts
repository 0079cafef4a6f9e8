import { defineRefusals } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('providers', {
  signedOut: {
    agent: 'you were signed out in the meantime',
    en: 'You were signed out in the meantime. Sign in and try again.',
    es: 'Mientras tanto se cerró su sesión. Inicie sesión e inténtelo de nuevo.',
  },
  linkedElsewhere: {
    agent: 'that account is already linked to someone else here',
    en: 'This account is already linked to someone else here.',
    es: 'Esta cuenta ya está vinculada a otra persona aquí.',
  },
})
