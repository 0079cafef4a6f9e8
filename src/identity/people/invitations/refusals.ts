import { defineRefusals } from '../../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('invitations', {
  otherAddress: {
    agent: 'this invitation is for {email}; sign in with that address',
    en: 'This invitation is for {email}. Sign in with that address.',
    es: 'Esta invitación es para {email}. Inicie sesión con esa dirección.',
  },
  otherAccount: {
    agent: 'this invitation is for {email}; use that account',
    en: 'This invitation is for {email}. Use that account.',
    es: 'Esta invitación es para {email}. Use esa cuenta.',
  },
  startsOver: {
    agent: 'this invitation sets a new password; choose one',
    en: 'This invitation sets a new password. Choose one.',
    es: 'Con esta invitación se crea una contraseña nueva. Elija una.',
  },
  accountChanged: {
    agent: 'Your account changed in the meantime. Open the link again.',
    en: 'Your account changed in the meantime. Open the link again.',
    es: 'Su cuenta cambió mientras tanto. Vuelva a abrir el enlace.',
  },
  noSignIn: {
    agent: 'is required: choose a new one, or create a passkey',
    en: 'Choose a new password or create a passkey.',
    es: 'Elija una contraseña nueva o cree una llave de acceso.',
  },
  hasSignIn: {
    agent:
      'this address already has an account; ' +
      'sign in to accept, or ask the administrator of this service for a link to start over',
    en:
      'This address already has an account. ' +
      'Sign in to accept, or ask this service’s administrator for a link to start over.',
    es:
      'Esta dirección ya tiene una cuenta. ' +
      'Inicie sesión para aceptar, o pida al administrador de este servicio un enlace para empezar de nuevo.',
  },
  tooManyToAddress: {
    agent: '{max} invitations went to {email} today; share a link, or try again tomorrow',
    en:
      '{max, plural, one {One invitation} other {# invitations}} went to {email} today, which is the limit. ' +
      'Share a link, or try again tomorrow.',
    es:
      'Hoy ya {max, plural, one {se envió una invitación} other {se enviaron # invitaciones}} a {email}, ' +
      'que es el máximo. Comparta un enlace o inténtelo mañana.',
  },
  tooManyToday: {
    agent: '{max} invitations were sent today; share links, or try again tomorrow',
    en:
      'Your company sent {max, plural, one {one invitation} other {# invitations}} today, which is the limit. ' +
      'Share links, or try again tomorrow.',
    es:
      'Hoy su empresa ya envió {max, plural, one {una invitación} other {# invitaciones}}, que es el máximo. ' +
      'Comparta enlaces o inténtelo mañana.',
  },
})
