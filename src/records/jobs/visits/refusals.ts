import { defineRefusals } from '../../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('jobs.visits', {
  oneCustomer: {
    agent: 'needs a customer or a new one, not both',
    en: 'Choose a customer or enter a new one, not both.',
    es: 'Elija un cliente o escriba uno nuevo, no ambas cosas.',
  },
  newCustomerNotAllowed: {
    agent: 'a new customer needs write:customers',
    en: 'You don’t have permission to add customers. Choose an existing customer.',
    es: 'No tiene permiso para agregar clientes. Elija un cliente existente.',
  },
  unknownAssignee: {
    agent: 'is not an active member of this account (got {typed}){hint}',
    en: 'Choose an active team member.',
    es: 'Elija a una persona activa del equipo.',
  },
  unknownMember: {
    agent: 'is not a member of this account (got {typed}){hint}',
    en: 'Choose a team member.',
    es: 'Elija a una persona del equipo.',
  },
  ambiguousMember: {
    agent: 'is the name of {members}; send the id of one{hint}',
    en: 'Several team members have this name. Enter the email address instead.',
    es: 'Varias personas del equipo se llaman así. Escriba el correo en su lugar.',
  },
  endWithoutStart: {
    agent: 'needs {start}; send both, or {duration} alone',
    en: 'Enter a start time too, or leave the end time empty.',
    es: 'Escriba también la hora de inicio, o deje en blanco la de fin.',
  },
  startOutOfRange: {
    agent: 'must be from 2000 to 2100 (got {typed})',
    en: 'Enter a date between 2000 and 2100.',
    es: 'Escriba una fecha entre 2000 y 2100.',
  },
  endBeforeStart: {
    agent: 'must be after {start} ({at})',
    en: 'Enter an end time that is after the start time.',
    es: 'Escriba una hora de fin posterior a la de inicio.',
  },
  tooLong: {
    agent: 'must be at most {max} days after {start} ({at})',
    en: 'A visit can last up to {max} days. Enter an earlier end.',
    es: 'Una visita puede durar hasta {max} días. Escriba un fin anterior.',
  },
  durationDiffers: {
    agent: 'is {typed}, but {end} lies {minutes} minutes after {start}; send one of the two',
    en: 'The duration doesn’t match the start and end times. Enter the end time or the duration, not both.',
    es: 'La duración no coincide con las horas de inicio y fin. Escriba la hora de fin o la duración, no ambas.',
  },
})
