import { defineRefusals } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('mobile.time', {
  unknownAction: {
    agent: "must be one of {actions} (got ''{value}'')",
    en: 'Choose whether to start, pause or end your time.',
    es: 'Elija si quiere iniciar, pausar o terminar su tiempo.',
  },
  onOtherVisit: {
    agent: 'your time from {from} to {to} is on another visit; correct that entry manually first',
    en: 'You already have time on another visit then. Correct that time entry first.',
    es: 'A esa hora ya tiene tiempo registrado en otra visita. Corrija primero ese registro.',
  },
  notRunning: {
    agent: 'your time is not running on this visit; enter the time manually, with a reason',
    en: 'Your time isn’t running on this visit. Add the time manually, with a reason.',
    es: 'Su tiempo no está corriendo en esta visita. Agregue el tiempo a mano, con un motivo.',
  },
  endNotAfterStart: {
    agent: 'must be after started_at',
    en: 'Enter an end time that is after the start time.',
    es: 'Escriba una hora de fin posterior a la de inicio.',
  },
  endBeforeStart: {
    agent: 'must not be before started_at',
    en: 'Enter an end time that is not before the start time.',
    es: 'Escriba una hora de fin que no sea anterior a la de inicio.',
  },
  endInFuture: {
    agent: 'must not be in the future',
    en: 'Enter an end time that is not in the future.',
    es: 'Escriba una hora de fin que no esté en el futuro.',
  },
  tooLong: {
    agent: 'must be at most {max} hours after started_at',
    en: 'A time entry can be up to {max} hours long. Enter an earlier end time.',
    es: 'Un registro de tiempo puede durar hasta {max} horas. Escriba una hora de fin anterior.',
  },
  tooOld: {
    agent: 'must be at most {max} days ago',
    en: 'Enter a start time within the last {max} days.',
    es: 'Escriba una hora de inicio dentro de los últimos {max} días.',
  },
  overlapEnded: {
    agent: 'the time overlaps the entry on {number} from {from} to {to}; correct that one first',
    en: 'This time overlaps a time entry on {number}. Correct that one first.',
    es: 'Este tiempo se cruza con un registro de tiempo en {number}. Corrija primero ese.',
  },
  overlapRunning: {
    agent: 'the time overlaps the entry on {number} running since {from}; correct that one first',
    en: 'This time overlaps a time entry that is running on {number}. Correct that one first.',
    es: 'Este tiempo se cruza con un registro de tiempo en curso en {number}. Corrija primero ese.',
  },
})
