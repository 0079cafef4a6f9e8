import { defineRefusals } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('views', {
  query: {
    agent: 'must have 1 to {max} characters',
    en: 'Choose fewer filters, but at least one.',
    es: 'Elija menos filtros, pero al menos uno.',
  },
  name: {
    agent: 'must have 1 to {max} characters',
    en: 'Enter a name of up to {max} characters.',
    es: 'Escriba un nombre de hasta {max} caracteres.',
  },
  tooMany: {
    agent: 'this list already has {max} views, which is the maximum; delete one first',
    en: 'You have {max} views of this list, which is the limit. Delete one first.',
    es: 'Tiene {max} vistas de esta lista, que es el máximo. Elimine una primero.',
  },
  tooManyShared: {
    agent: 'this list already has {max} shared views, which is the maximum; delete one first',
    en: 'This list has {max} shared views, which is the limit. Delete one first.',
    es: 'Esta lista tiene {max} vistas compartidas, que es el máximo. Elimine una primero.',
  },
})
