import { defineRefusals, defineWarnings } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('plans', {
  customerArchived: {
    agent: 'the customer is archived, so this plan cannot be resumed; cancel it with plans_cancel',
    en: 'This customer is archived, so the plan can’t be resumed. Cancel the plan instead.',
    es: 'Este cliente está archivado, así que el plan no se puede reanudar. Cancele el plan.',
  },
  ended: {
    agent: 'plan {name} is {status} and cannot be reactivated; create a new plan with plans_create',
    en:
      'This plan {status, select, cancelled {is canceled} other {has ended}}, so it can’t be changed. ' +
      'Create a new plan instead.',
    es:
      'Este plan {status, select, cancelled {está cancelado} other {ya terminó}} y no se puede cambiar. ' +
      'Cree un plan nuevo.',
  },
  hasVisits: {
    agent: 'plan {name} already has visits',
    en: 'This plan already has visits. Change them on their own page.',
    es: 'Este plan ya tiene visitas. Cámbielas en su propia página.',
  },
  noEnd: {
    agent: 'plan {name} has no end_date, so there is nothing to renew',
    en: 'This plan has no end date, so there is nothing to renew.',
    es: 'Este plan continúa sin fecha de fin, así que no hay nada que renovar.',
  },
  startFixed: {
    agent:
      'cannot be changed after the first run (it is {before}, got {start}); ' +
      'cancel the plan with plans_cancel and create a new one with plans_create',
    en: 'This plan has already run, so its start date can’t be changed. Cancel it and create a new plan instead.',
    es: 'Este plan ya se ejecutó, así que su fecha de inicio no se puede cambiar. Cancélelo y cree un plan nuevo.',
  },
  startOutOfRange: {
    agent: 'must be from {first} to {last} (got {start})',
    en: 'Enter a start date no more than {years} years ago and no more than {years} years ahead.',
    es: 'Escriba una fecha de inicio de hace {years} años como máximo y dentro de {years} años como máximo.',
  },
  endBeforeStart: {
    agent: 'must be on or after {start_date} {start} (got {end})',
    en: 'Enter an end date that is on or after the start date.',
    es: 'Escriba una fecha de fin igual o posterior a la de inicio.',
  },
})

export const warnings = defineWarnings('plans', {
  noRunLeft: {
    agent: "no run dates are left through end_date {end}, so this plan won't create any invoices",
    en: 'The plan ends on {end}, before its next invoice is due, so it won’t create any invoices.',
    es: 'El plan termina el {end}, antes de la próxima factura, así que no creará ninguna.',
  },
})
