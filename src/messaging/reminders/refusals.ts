import { defineRefusals } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('reminders', {
  noDay: {
    agent: 'Choose at least one day, or turn the reminder off.',
    en: 'Choose at least one day, or turn the reminder off.',
    es: 'Elija al menos un día o desactive el recordatorio.',
  },
  days: {
    agent: 'The days of a reminder must be whole numbers up to {max}.',
    en: 'Enter the days as whole numbers, up to {max, number}.',
    es: 'Escriba los días como números enteros, hasta {max, number}.',
  },
  hour: {
    agent: 'A reminder goes out on the hour.',
    en: 'Choose the hour of the day when the reminder goes out.',
    es: 'Elija la hora del día en que sale el recordatorio.',
  },
})
