import { defineRefusals } from '../../platform/errors/refusal_text.ts'

/** `name` is the number of the record, such as INV-1001. */
export const refusals = defineRefusals('templates', {
  tooManyPlaceholders: {
    agent: 'must have at most {max} placeholders (got {count})',
    en: 'A message can have up to {max, number} placeholders. Remove some.',
    es: 'Un mensaje puede tener hasta {max, number} campos. Quite algunos.',
  },
  unknownPlaceholder: {
    agent: 'has an unknown placeholder {placeholder}; use one of {known}',
    en: 'There is no placeholder {placeholder}. Use one of these: {known}.',
    es: 'No existe el campo {placeholder}. Use uno de estos: {known}.',
  },
  similarPlaceholder: {
    agent: 'has an unknown placeholder {placeholder}; did you mean {similar}?',
    en: 'There is no placeholder {placeholder}. Did you mean {similar}?',
    es: 'No existe el campo {placeholder}. ¿Quiso decir {similar}?',
  },
  brace: {
    agent: 'has a brace outside a placeholder; write placeholders as {example}',
    en: 'Use braces only for placeholders, such as {example}.',
    es: 'Use llaves solo para campos, por ejemplo {example}.',
  },
  nothingPaid: {
    agent: '{name} has no payment yet, so there is no receipt to send.',
    en: '{name} has no payment yet, so there is no receipt to send.',
    es: '{name} todavía no tiene ningún pago, así que no hay recibo que enviar.',
  },
  changed: {
    agent: 'It was changed after you opened this page. Look at it again, then send it.',
    en: 'It was changed after you opened this page. Look at it again, then send it.',
    es: 'Se cambió después de que usted abrió esta página. Revíselo otra vez y envíelo.',
  },
  archivedCustomer: {
    agent: '{name} is archived and gets no more messages.',
    en: '{name} is archived and gets no more messages.',
    es: '{name} está en el archivo y ya no recibe mensajes.',
  },
  voided: {
    agent: "{name} was voided, so it can't be sent.",
    en: '{name} was voided, so it can’t be sent.',
    es: '{name} se anuló y no se puede enviar.',
  },
  canceled: {
    agent: '{name} was canceled, so there is nothing to confirm.',
    en: '{name} was canceled, so there is nothing to confirm.',
    es: '{name} se canceló; no hay nada que confirmar.',
  },
  archived: {
    agent: "{name} is archived, so it can't be sent.",
    en: '{name} is archived, so it can’t be sent.',
    es: '{name} está en el archivo y no se puede enviar.',
  },
  declined: {
    agent: '{name} was declined. Put it back to draft to offer it again.',
    en: '{name} was declined. Put it back to draft to offer it again.',
    es: '{name} se rechazó. Vuelva a ponerla en borrador para ofrecerla otra vez.',
  },
  expired: {
    agent: '{name} has expired. Set a new expiration date, then send it.',
    en: '{name} has expired. Set a new expiration date, then send it.',
    es: '{name} venció. Indique hasta cuándo vale ahora y envíelo.',
  },
  unscheduled: {
    agent: '{name} has no time yet. Schedule it first.',
    en: '{name} has no time yet. Schedule it first.',
    es: '{name} aún no tiene hora. Prográmelo primero.',
  },
  done: {
    agent: '{name} is done, so there is no visit to confirm.',
    en: '{name} is done, so there is no visit to confirm.',
    es: '{name} está terminado; no hay visita que confirmar.',
  },
})
