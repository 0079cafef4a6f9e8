import { defineRefusals } from '../../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('quarantine', {
  otherCompany: {
    agent: 'this message belongs to another company',
    en: 'This message belongs to another company.',
    es: 'Este mensaje es de otra empresa.',
  },
  sameId: {
    agent: 'its company already has a message with this id; assign this one to it too, or discard it',
    en: 'The company already has another message in its place. Assign this one to it too, or discard it.',
    es: 'La empresa ya tiene otro mensaje en su lugar. Asígnele también este o descártelo.',
  },
  unknownRecipient: {
    agent: 'no company has {recipients}; add it with number add or mailbox add, or assign the message',
    en:
      'No company uses the number or address this message was sent to. ' +
      'Assign the message to a company, or discard it.',
    es:
      'Ninguna empresa usa el número o la dirección a la que se envió este mensaje. ' +
      'Asígnelo a una empresa o descártelo.',
  },
  noFilter: {
    agent: 'set sender, domain or days to select messages',
    en: 'Enter a sender, a domain, or a number of days.',
    es: 'Indique un remitente, un dominio o un número de días.',
  },
  days: {
    agent: "must be a whole number from 0 to 9999 (got ''{value}'')",
    en: 'Enter a whole number of days from 0 to 9,999.',
    es: 'Escriba un número entero de días, de 0 a 9,999.',
  },
  unreadable: {
    agent: 'this message can no longer be read; discard it',
    en: 'This message can’t be read anymore. Discard it.',
    es: 'Este mensaje ya no se puede leer. Descártelo.',
  },
})
