import { defineRefusals, defineWarnings } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('job_series', {
  ended: {
    agent: "the series ended at {ended_at} and can't be changed; create a new one with job_series_create",
    en: 'This recurring job has ended, so it can’t be changed. Create a new one instead.',
    es: 'Este trabajo recurrente ya finalizó y no se puede cambiar. Cree uno nuevo.',
  },
  tooOften: {
    agent: 'would create more than {max} jobs through {through}; choose a rule that repeats less often',
    en: 'This would create more than {max} visits at once. Choose a schedule with fewer visits.',
    es: 'Esto crearía más de {max} visitas a la vez. Elija una frecuencia con menos visitas.',
  },
  weekdaysWithoutWeeks: {
    agent: 'takes days of the week only when it repeats by week; choose weeks, or clear the days',
    en: 'Days of the week only work when the job repeats by week. Choose weeks, or clear the days.',
    es: 'Los días de la semana solo se usan si el trabajo se repite por semanas. Elija semanas o desmarque los días.',
  },
  monthDayWithoutMonths: {
    agent: 'takes a day of the month only when it repeats by month; choose months, or leave the day out',
    en: 'A day of the month only works when the job repeats by month. Choose months, or leave the day empty.',
    es: 'El día del mes solo se usa si el trabajo se repite por meses. Elija meses o deje el día en blanco.',
  },
  dateAndWeekday: {
    agent: 'takes a date of the month or a weekday of the month, not both',
    en: 'Choose a date of the month or a weekday of the month, not both.',
    es: 'Elija una fecha del mes o un día de la semana del mes, no ambos.',
  },
  halfWeekday: {
    agent: 'needs both parts of a weekday of the month, such as second and Tuesday',
    en: 'Choose both parts of the weekday of the month, such as second and Tuesday.',
    es: 'Elija las dos partes del día de la semana del mes, por ejemplo, segundo y martes.',
  },
  timeRequired: {
    agent: 'false needs a {dtstart} with a time, such as 2027-03-02T09:00',
    en: 'Enter a start time, or choose all day.',
    es: 'Escriba una hora de inicio o elija todo el día.',
  },
  startOutOfRange: {
    agent: 'must be from {first} (one year ago) to {last} (five years from now) (got {day})',
    en: 'Enter a first day no more than a year ago and no more than five years ahead.',
    es: 'Escriba un primer día de hace un año como máximo y dentro de cinco años como máximo.',
  },
  endBeforeStart: {
    agent: 'must be on or after {dtstart}, {first} (got {end})',
    en: 'Enter a last day that is on or after the first day.',
    es: 'Escriba un último día igual o posterior al primer día.',
  },
  otherDay: {
    agent: 'must be on the day of the visit, {day}; to change the day, change rrule or dtstart of the series',
    en: 'For several visits you can change the time of day only. To change the day, edit the recurring job.',
    es: 'En varias visitas solo se puede cambiar la hora. Para cambiar el día, edite el trabajo recurrente.',
  },
  visitBegun: {
    agent: 'is not an upcoming visit of this series',
    en: 'This visit is no longer upcoming. Choose another visit, or change this visit only.',
    es: 'Esta visita ya no está por venir. Elija otra o cambie solo esta visita.',
  },
  oneVisitOnly: {
    agent: 'can be changed for one visit only',
    en: 'You can change this for one visit only. Choose “This visit”.',
    es: 'Esto solo se puede cambiar en una visita. Elija «Esta visita».',
  },
  endTooFar: {
    agent: 'must be at most ten years after {dtstart}, {last} (got {end}); leave it out for an ongoing series',
    en: 'Enter a last day within ten years of the first day, or leave it empty if there is no end.',
    es: 'Escriba un último día dentro de los diez años siguientes al primer día, o déjelo en blanco si no tiene fin.',
  },
})

export const warnings = defineWarnings('job_series', {
  noOccurrence: {
    agent: 'the rule has no upcoming occurrences, so no jobs were created',
    en: 'There are no upcoming dates, so no visits were booked.',
    es: 'No hay fechas por venir, así que no se programó ninguna visita.',
  },
})
