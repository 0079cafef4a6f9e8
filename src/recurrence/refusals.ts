import { defineRefusals, defineWarnings } from '../platform/errors/refusal_text.ts'

/** Text for a refused rule. People choose the frequency in a form and never write the rule themselves. */
const CHECK = { en: 'Check how often this repeats.', es: 'Revise con qué frecuencia se repite.' } as const

export const refusals = defineRefusals('recurrence', {
  empty: {
    agent: 'empty; send a rule such as FREQ=WEEKLY;BYDAY=TU',
    en: 'Choose how often this repeats.',
    es: 'Elija con qué frecuencia se repite.',
  },
  tooLong: { agent: 'longer than 500 characters; shorten it', ...CHECK },
  lineBreaks: { agent: 'line breaks are not accepted; send one rule, and DTSTART as dtstart', ...CHECK },
  characters: { agent: 'only A-Z, 0-9 and =;,+- are accepted; leave out spaces', ...CHECK },
  noValue: { agent: '{name} has no value; write {name}=value or leave it out', ...CHECK },
  twice: { agent: '{name} appears twice; give it once, with its values separated by commas', ...CHECK },
  emptyPart: {
    agent: 'empty part; separate NAME=VALUE parts with single semicolons, without one at the end',
    ...CHECK,
  },
  unsupportedPart: { agent: '{name} is not supported; {hint}', ...CHECK },
  unknownPart: { agent: "''{part}'' is not a part of a rule; the parts are {parts}", ...CHECK },
  malformedPart: { agent: "''{part}'' is malformed; write {name}=value", ...CHECK },
  oneValue: { agent: '{name} takes one value', ...CHECK },
  oneTime: {
    agent: '{name} takes one value, since there is at most one job a day; create a series for each time',
    en: 'Choose one time a day. For another time, create another recurring job.',
    es: 'Elija una sola hora por día. Para otra hora, cree otra serie.',
  },
  outOfRange: { agent: '{name}={value} is out of range; use {range}', ...CHECK },
  intervalOutOfRange: {
    agent: 'INTERVAL={value} is out of range; use {range}',
    en: 'This is too long between two jobs, or not a whole number. Enter another number.',
    es: 'Es demasiado tiempo entre dos trabajos, o no es un número entero. Escriba otro número.',
  },
  countOutOfRange: {
    agent: 'COUNT={value} is out of range; use {range}',
    en: 'Enter a number of jobs from 1 to 1000.',
    es: 'Escriba un número de trabajos entre 1 y 1000.',
  },
  noWeekday: {
    agent: 'BYDAY={value} is not a weekday; use {weekdays}, or 2TU for the second Tuesday, -1FR for the last Friday',
    en: 'Choose a day of the week.',
    es: 'Elija un día de la semana.',
  },
  weekdayZero: { agent: 'BYDAY={value} counts from 0; use 1{day} for the first or -1{day} for the last', ...CHECK },
  weekStart: { agent: 'WKST={value} is not a weekday; use one of {weekdays}', ...CHECK },
  until: {
    agent:
      'UNTIL={value} is malformed; use a date 20270615, a local time 20270615T180000 or a UTC time 20270615T180000Z',
    en: 'Enter the date when this ends.',
    es: 'Escriba la fecha en que termina.',
  },
  noFrequency: {
    agent: 'FREQ is missing; use FREQ=DAILY, WEEKLY, MONTHLY or YEARLY',
    en: 'Choose how often this repeats.',
    es: 'Elija con qué frecuencia se repite.',
  },
  frequency: {
    agent: 'FREQ={value} is not supported; use {hint}',
    en: 'Choose whether this repeats daily, weekly, monthly or yearly.',
    es: 'Elija si se repite cada día, cada semana, cada mes o cada año.',
  },
  countAndUntil: {
    agent: "COUNT and UNTIL can't be combined; keep one of them",
    en: 'Choose an end date or a number of jobs, not both.',
    es: 'Elija una fecha de fin o un número de trabajos, no ambos.',
  },
  numberedWeekday: {
    agent: 'BYDAY with a number needs FREQ=MONTHLY or YEARLY; leave the number out with FREQ={freq}',
    ...CHECK,
  },
  weekdayNumbers: { agent: 'BYDAY numbers are out of range; use 1 to {max} or -1 to -{max} {within}', ...CHECK },
  monthDayWeekly: { agent: 'BYMONTHDAY is not accepted with FREQ=WEEKLY; use BYDAY, or FREQ=MONTHLY', ...CHECK },
  monthDayAndWeekday: {
    agent: 'BYMONTHDAY is not accepted with a numbered BYDAY; leave the number out or drop BYMONTHDAY',
    en: 'Choose a day of the month or a day of the week, not both.',
    es: 'Elija un día del mes o un día de la semana, no ambos.',
  },
  positions: { agent: 'BYSETPOS is not accepted with FREQ={freq}; use FREQ=MONTHLY or YEARLY', ...CHECK },
  positionsAlone: { agent: 'BYSETPOS needs another BY part to choose from; add BYDAY or BYMONTHDAY', ...CHECK },
  hourOfAllDay: {
    agent: 'BYHOUR and BYMINUTE need a dtstart with a time such as 2027-03-02T09:00; or leave them out',
    en: 'Enter a start time, or make it all day.',
    es: 'Escriba una hora de inicio o indique que es todo el día.',
  },
  never: {
    agent: 'rule never occurs; no day from dtstart to {last} matches it',
    en: 'No day matches this. Choose another day or a later end date.',
    es: 'Ningún día coincide. Elija otro día o una fecha de fin posterior.',
  },
  timezone: {
    agent: "''{name}'' is not in the tz database; use an IANA name such as America/New_York, not an offset",
    en: 'Choose a time zone.',
    es: 'Elija una zona horaria.',
  },
  start: {
    agent: "''{given}'' is not a valid start; use 2027-03-02T09:00, or 2027-03-02 for all day",
    en: 'Enter the date and time when this starts.',
    es: 'Escriba la fecha y la hora en que empieza.',
  },
})

export const warnings = defineWarnings('recurrence', {
  shortMonths: {
    agent: 'months without day {day} are skipped; use BYMONTHDAY=-1 for the last day',
    en: 'Months without day {day} are skipped. Choose the last day of the month to include every month.',
    es: 'Los meses que no tienen día {day} se omiten. Elija el último día del mes para incluirlos todos.',
  },
})
