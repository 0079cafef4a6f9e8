import { defineRefusals } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('apps', {
  policy: {
    agent: 'must be one of anything, listed, ask',
    en: 'Choose which apps members can connect.',
    es: 'Elija qué aplicaciones pueden conectar los miembros.',
  },
  notAllowed: {
    agent: "the company's app policy does not allow this app",
    en: 'Your company doesn’t allow this app. Ask an owner to allow it.',
    es: 'Su empresa no permite esta aplicación. Pida a un propietario que la permita.',
  },
  listFull: {
    agent: 'The list is full: {max} apps.',
    en: 'You have {max} apps on the list, which is the limit. Remove one you don’t use.',
    es: 'Tiene {max} aplicaciones en la lista, que es el máximo. Quite una que no use.',
  },
  tooLong: {
    agent: 'must be at most 2,000 characters',
    en: 'Enter at most 2,000 characters for the app.',
    es: 'Escriba 2,000 caracteres como máximo para la aplicación.',
  },
  unknownForm: {
    agent: 'must be a host such as claude.ai, or a client ID',
    en: 'Enter the app’s host, such as claude.ai, or its client ID.',
    es: 'Escriba el host de la aplicación, como claude.ai, o su id. de cliente.',
  },
  nothingToAsk: {
    agent: 'An owner no longer needs to approve this.',
    en: 'You no longer need an owner’s approval for this.',
    es: 'Ya no necesita la aprobación de un propietario para esto.',
  },
  tooManyRequests: {
    agent: 'You already asked for {count} apps. Talk to an owner first.',
    en: 'You already asked for {count, plural, one {one app} other {# apps}}. Talk to an owner first.',
    es: 'Ya pidió {count, plural, one {una aplicación} other {# aplicaciones}}. Hable primero con un propietario.',
  },
  askedAgain: {
    agent: 'There is a new request for this app. Review it again.',
    en: 'The member sent a new request for this app. Review it again.',
    es: 'El miembro envió una nueva solicitud para esta aplicación. Revísela otra vez.',
  },
})
