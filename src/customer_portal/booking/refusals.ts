import { defineRefusals } from '../../platform/errors/refusal_text.ts'

/** Refusals of the booking page and of visit changes by customers. */
export const refusals = defineRefusals('booking', {
  badName: {
    agent: 'must be 3 to 40 lowercase letters, digits and hyphens, such as acme-plumbing',
    en: 'Use 3 to 40 lowercase letters, numbers and hyphens, like acme-plumbing.',
    es: 'Use de 3 a 40 letras minúsculas, números y guiones, como plomeria-acme.',
  },
  nameTaken: {
    agent: 'belongs to another company; choose another name',
    en: 'Another company already uses this name. Choose another one.',
    es: 'Otra empresa ya usa este nombre. Elija otro.',
  },
  nameMissing: {
    agent: 'is required before the page is turned on',
    en: 'Choose a name for the page before you turn it on.',
    es: 'Elija un nombre para la página antes de activarla.',
  },
  badNumber: {
    agent: 'must be a whole number from {min} to {max}',
    en: 'Enter a whole number from {min} to {max}.',
    es: 'Escriba un número entero de {min} a {max}.',
  },
  badOrigin: {
    agent: 'must be at most five website addresses such as https://www.acme.com',
    en: 'Enter website addresses like https://www.acme.com, five at most.',
    es: 'Escriba direcciones de sitios web como https://www.acme.com, cinco como máximo.',
  },
  tooManyServices: {
    agent: 'can have at most {max} services; remove one first',
    en: 'You can offer {max} services online. Remove one first.',
    es: 'Puede ofrecer {max} servicios en línea. Quite uno primero.',
  },
  noSuchService: {
    agent: 'must be an active service, labor or bundle in the catalog',
    en: 'Choose a service from your catalog.',
    es: 'Elija un servicio de su catálogo.',
  },
  contactMissing: {
    agent: 'needs an email address or a phone number',
    en: 'Enter an email address or a phone number.',
    es: 'Escriba un correo electrónico o un número de teléfono.',
  },
  answerMissing: { agent: 'needs a value', en: 'Answer this question.', es: 'Responda esta pregunta.' },
  tooSoon: {
    agent: 'is not available: it is too soon, too far ahead or in the past',
    en: 'This time is no longer offered. Choose another time.',
    es: 'Este horario ya no está disponible. Elija otro.',
  },
  decided: {
    agent: 'was already decided',
    en: 'This booking was already approved or declined.',
    es: 'Esta reserva ya fue aprobada o rechazada.',
  },
  visitFixed: {
    agent: 'can no longer be changed by the customer',
    en: 'This visit can no longer be changed online. Call us instead.',
    es: 'Esta visita ya no se puede cambiar en línea. Llámenos.',
  },
})
