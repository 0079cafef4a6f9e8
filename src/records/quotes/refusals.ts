import { defineRefusals } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('quotes', {
  tooEarly: {
    agent: 'must be today, {today}, or later (got {until})',
    en: 'Choose today or a later date.',
    es: 'Elija la fecha de hoy o una posterior.',
  },
  notDraft: {
    agent:
      '{number} is {status}, and {fields} can be changed only in draft; ' +
      'set status to draft first, in a separate call',
    en: 'Quote {number} is no longer a draft. Move it back to draft to change it.',
    es: 'La cotización {number} ya no es un borrador. Vuelva a ponerla en borrador para cambiarla.',
  },
  final: {
    agent: '{number} is {status}, and {fields} can be changed only in draft; create a new quote with quotes_create',
    en:
      'Quote {number} {status, select, accepted {was accepted} other {is archived}}, so it can’t be changed. ' +
      'Create a new quote instead.',
    es:
      'La cotización {number} {status, select, ' +
      'accepted {se aceptó} other {está archivada}} y no se puede cambiar. Cree una cotización nueva.',
  },
  reasonWithoutDecline: {
    agent: 'requires status declined; send both, or leave it out',
    en: 'Enter a reason only when the quote is declined.',
    es: 'Indique un motivo solo si la cotización se rechaza.',
  },
  notOwner: {
    agent: 'only the owner of quote {number}, {owner}, may change it; ask them, or create your own with quotes_create',
    en: 'Only {owner} can change quote {number}. Ask them, or create a quote of your own.',
    es: 'Solo {owner} puede cambiar la cotización {number}. Pídaselo o cree una cotización propia.',
  },
  notAccountOwner: {
    agent: 'only an owner of the account may take over a quote; ask one',
    en: 'Only an owner of the account can take over a quote. Ask an owner.',
    es: 'Solo un propietario de la cuenta puede tomar a su cargo una cotización. Pídaselo a uno.',
  },
  unknown: {
    agent: 'is not a live quote of this customer; find its id with quotes_list',
    en: 'Choose a quote of this customer that isn’t archived.',
    es: 'Elija una cotización de este cliente que no esté archivada.',
  },
  archived: {
    agent: 'is {number}, archived on {day}; quotes_list shows it only with status archived',
    en: 'Quote {number} is archived. Filter the list of quotes by archived to see it.',
    es: 'La cotización {number} está archivada. Filtre la lista de cotizaciones por archivadas para verla.',
  },
  badTransition: {
    agent: "{number} is {from} and can't become {to}; from here it can become {allowed}",
    en:
      'Quote {number} is {from, select, draft {a draft} sent {sent} accepted {accepted} declined {declined} ' +
      'expired {expired} other {archived}} and can’t be changed to {to, select, ' +
      'draft {draft} sent {sent} accepted {accepted} declined {declined} expired {expired} other {archived}}.',
    es:
      'La cotización {number} está {from, select, ' +
      'draft {en borrador} sent {enviada} accepted {aceptada} declined {rechazada} expired {vencida} other ' +
      '{archivada}} y no puede pasar a {to, select, ' +
      'draft {borrador} sent {enviada} accepted {aceptada} declined {rechazada} expired {vencida} other {archivada}}.',
  },
  expired: {
    agent: '{number} was valid until {until}; also send {valid_until}, today ({today}) or later',
    en: 'Quote {number} has expired. Enter until when it is valid now: today or a later date.',
    es: 'La cotización {number} venció. Indique hasta cuándo vale ahora: hoy o una fecha posterior.',
  },
})
