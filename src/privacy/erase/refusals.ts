import { defineRefusals } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('erase', {
  sending: {
    agent: 'a message to them is being sent right now; try again in a minute',
    en: 'A message to this customer is being sent right now. Try again in a minute.',
    es: 'En este momento se le está enviando un mensaje a este cliente. Inténtelo de nuevo en un minuto.',
  },
  importing: {
    agent: 'a file of customers is being imported; try again when it is done',
    en: 'A file of customers is being imported. Try again when it’s done.',
    es: 'Se está importando un archivo de clientes. Inténtelo de nuevo cuando termine.',
  },
  undecidedPayment: {
    agent: 'a payment event about their invoices is waiting for a decision; decide it under Quarantine first',
    en: 'A payment for one of this customer’s invoices is waiting for a decision. Decide it under Quarantine first.',
    es: 'Un pago de una factura de este cliente espera una decisión. Decídalo primero en Cuarentena.',
  },
  member: {
    agent: "a current member can't be erased; remove them from the company first",
    en: 'You can’t erase somebody who is still on your team. Remove them from the company first.',
    es: 'No puede borrar a alguien que aún es parte de su equipo. Primero quítelo de la empresa.',
  },
  otherName: {
    agent: 'must be {name}, typed in full',
    en: 'Type the full name {name} to confirm.',
    es: 'Escriba el nombre completo {name} para confirmar.',
  },
  noDay: { agent: "must be a date (got ''{text}'')", en: 'Enter a date.', es: 'Escriba una fecha.' },
  dayOutOfRange: {
    agent: 'must be after today, and within {years} years',
    en: 'Choose a day after today, within the next {years} years.',
    es: 'Elija un día posterior a hoy, dentro de los próximos {years} años.',
  },
  noDemo: {
    agent: "this isn't a demo company",
    en: 'Only a demo company can be started over or deleted.',
    es: 'Solo una empresa de demostración se puede reiniciar o borrar.',
  },
})
