import { defineRefusals, defineWarnings } from '../../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('jobs.visits', {
  oneCustomer: {
    agent: 'send either customer_id or new_customer',
    en: 'Choose a customer or enter a new one, not both.',
    es: 'Elija un cliente o escriba uno nuevo, no ambas cosas.',
  },
  newCustomerNotAllowed: {
    agent: 'adding a customer needs write:customers',
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
    agent: 'needs {start}; send both, or only {duration}',
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
    agent: 'is {typed}, but {end} is {minutes} minutes after {start}; send one of the two',
    en: 'The duration doesn’t match the start and end times. Enter the end time or the duration, not both.',
    es: 'La duración no coincide con las horas de inicio y fin. Escriba la hora de fin o la duración, no ambas.',
  },
})

export const warnings = defineWarnings('jobs.visits', {
  lacksSkills: {
    agent: '{name} lacks skills that this work needs: {skills}',
    en: '{name} lacks skills for this work: {skills}.',
    es: 'A {name} le faltan habilidades para este trabajo: {skills}.',
  },
  doNotService: {
    agent: '{name} is marked do_not_service; ask a person to confirm this work',
    en: '{name} is marked “Do not service”. Check with the office before you book work for this customer.',
    es: '{name} tiene la marca «No atender». Consulte con la oficina antes de agendar trabajo para este cliente.',
  },
  past: {
    agent: 'the visit is in the past: {at}',
    en: 'This visit is in the past: {at}.',
    es: 'Esta visita es de una fecha u hora que ya pasó: {at}.',
  },
  holiday: {
    agent: 'the company is closed on {date}',
    en: 'The company is closed on {date}.',
    es: 'La empresa no trabaja el {date}.',
  },
  namedHoliday: {
    agent: 'the company is closed on {date} ({note})',
    en: 'The company is closed on {date}: {note}.',
    es: 'La empresa no trabaja el {date}: {note}.',
  },
  timeOff: {
    agent: '{name} has time off on {date}',
    en: '{name} has time off on {date}.',
    es: '{name} tiene libre el {date}.',
  },
  companyOff: {
    agent: 'the company does not work on {date}',
    en: 'The company doesn’t work on {date}.',
    es: 'La empresa no trabaja el {date}.',
  },
  memberOff: {
    agent: '{name} does not work on {date}',
    en: '{name} doesn’t work on {date}.',
    es: '{name} no trabaja el {date}.',
  },
  outsideCompanyHours: {
    agent: "outside the company's working hours: {date} {hours}, local time",
    en: 'This is outside the company’s working hours: {date}, {hours}.',
    es: 'Queda fuera del horario de la empresa: {date}, {hours}.',
  },
  outsideMemberHours: {
    agent: 'outside the working hours of {name}: {date} {hours}, local time',
    en: 'This is outside the working hours of {name}: {date}, {hours}.',
    es: 'Queda fuera del horario de {name}: {date}, {hours}.',
  },
  morePeopleOff: {
    agent: "other people don't work at that time either; their hours are in callout://team",
    en: 'More people don’t work at that time.',
    es: 'Hay más personas que no trabajan a esa hora.',
  },
  overlap: {
    agent: '{name} is double-booked: {visit} is {times}, local time',
    en: 'It overlaps {visit} of {name}, {times}.',
    es: 'Se cruza con {visit} de {name}, {times}.',
  },
  overlapUnseen: {
    agent: '{name} is double-booked: another visit is {times}, local time',
    en: 'It overlaps another visit of {name}, {times}.',
    es: 'Se cruza con otra visita de {name}, {times}.',
  },
  moreVisits: {
    agent: 'there are more visits at that time; list them with jobs_list',
    en: 'There are more visits at that time.',
    es: 'Hay más visitas a esa hora.',
  },
})
