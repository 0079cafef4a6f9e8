import { defineRefusals } from '../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('scheduling', {
  timeTaken: {
    agent: 'was just taken; choose another time',
    en: 'This time was just taken. Choose another time.',
    es: 'Alguien acaba de tomar este horario. Elija otro.',
  },
  tooManySpans: {
    agent: 'can have at most {max} time ranges',
    en: 'Enter at most {max} time ranges a day.',
    es: 'Escriba como máximo {max} horarios por día.',
  },
  overlap: {
    agent: 'has times that overlap; end one before the next starts',
    en: 'These times overlap. End one before the next starts.',
    es: 'Estos horarios se cruzan. Termine uno antes de que empiece el siguiente.',
  },
  spanIncomplete: {
    agent: "needs a start and an end such as 08:00 and 17:00 (got ''{from}'' and ''{to}'')",
    en: 'Enter a start time and an end time.',
    es: 'Escriba una hora de inicio y una hora de fin.',
  },
  endBeforeStart: {
    agent: 'must end after it starts (got {from} to {to})',
    en: 'The end time must be after the start time.',
    es: 'La hora de fin debe ser posterior a la hora de inicio.',
  },
  travel: {
    agent: 'must be a whole number from 0 to {max}',
    en: 'Enter a number of minutes from 0 to {max}.',
    es: 'Escriba un número de minutos entre 0 y {max}.',
  },
  arrivalWindow: {
    agent: 'must be 0, or a whole number from {min} to {max}',
    en: 'Enter 0, or a number of minutes from {min} to {max}.',
    es: 'Escriba 0 o un número de minutos entre {min} y {max}.',
  },
  tooManyDays: {
    agent: 'there can be at most {max} special days; remove some first',
    en: 'You have {max} special days, which is the limit. Remove some first.',
    es: 'Tiene {max} días especiales, que es el máximo. Quite algunos primero.',
  },
  lastDayEarly: {
    agent: 'must not be before {from}',
    en: 'The last day must not be before the first.',
    es: 'El último día no debe ser anterior al primero.',
  },
  lastDayLate: {
    agent: 'must be at most {max} days after the first',
    en: 'Choose at most {max} days at a time.',
    es: 'Elija como máximo {max} días a la vez.',
  },
  badSkills: {
    agent: 'can have at most {max} skills of at most {length} characters, separated by commas',
    en: 'Enter at most {max} skills with at most {length} characters each.',
    es: 'Escriba como máximo {max} habilidades con un máximo de {length} caracteres cada una.',
  },
  day: { agent: "must be a day such as 2026-12-24 (got ''{given}'')", en: 'Choose a date.', es: 'Elija una fecha.' },
})
