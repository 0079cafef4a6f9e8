import { defineRefusals } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('mobile.checklists', {
  unknownItem: {
    agent: 'must be the id of an item of the checklist',
    en: 'Choose an item of the checklist.',
    es: 'Elija un punto de la lista de control.',
  },
  notBoolean: {
    agent: 'must be true or false',
    en: 'Check or uncheck this item.',
    es: 'Marque o desmarque este punto.',
  },
  notText: { agent: 'must be text', en: 'Enter text for this item.', es: 'Escriba un texto en este punto.' },
  notNumber: {
    agent: "must be a number such as 21.5 (got ''{value}'')",
    en: 'Enter a number, such as 21.5.',
    es: 'Escriba un número, por ejemplo, 21.5.',
  },
  itemsOpen: {
    agent: 'the checklist has unanswered required items: {items}; answer them first',
    en:
      '{count, plural, one {A required checklist item is} other {# required checklist items are}} still open: ' +
      '{names}{more, plural, =0 {} other { and # more}}. Complete {count, plural, one {it} other {them}} first.',
    es:
      '{count, plural, one {Falta un punto obligatorio} other {Faltan # puntos obligatorios}} de la lista de ' +
      'control: {names}{more, plural, =0 {} other { y # más}}. ' +
      '{count, plural, one {Complételo} other {Complételos}} primero.',
  },
  tooMany: {
    agent: 'there are {max} checklists, which is the limit; remove one first',
    en: 'You have {max} checklists, which is the limit. Delete one you don’t use.',
    es: 'Tiene {max} listas de control, que es el máximo. Elimine una que no use.',
  },
  unknownScope: {
    agent: "must be every, words or chosen (got ''{value}'')",
    en: 'Choose which visits get this checklist.',
    es: 'Elija qué visitas llevan esta lista de control.',
  },
  wordCount: {
    agent: 'must be 1 to {max} title words separated by commas (got {count})',
    en: 'Enter 1 to {max} words of a job’s title, separated by commas.',
    es: 'Escriba de 1 a {max} palabras del título de un trabajo, separadas por comas.',
  },
  itemCount: {
    agent: 'must be 1 to {max} (got {count}); write at least one',
    en: 'Enter 1 to {max} items.',
    es: 'Escriba de 1 a {max} puntos.',
  },
  duplicateItem: {
    agent: "must each appear only once (got ''{text}'' twice)",
    en: 'The item “{text}” is on the list twice. Delete one of them.',
    es: 'El punto «{text}» está dos veces en la lista. Elimine uno.',
  },
  unknownKind: {
    agent: "must be {kinds} (got ''{value}'')",
    en: 'Choose how this item is answered.',
    es: 'Elija cómo se responde este punto.',
  },
  duplicateName: {
    agent: "must be unique: there is already a checklist called ''{name}''",
    en: 'There is already a checklist called “{name}”. Enter another name.',
    es: 'Ya hay una lista de control llamada «{name}». Escriba otro nombre.',
  },
})
