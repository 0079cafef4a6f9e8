import { explainConstraints } from '../../platform/db/refusals.ts'
import { defineRefusals } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('tags', {
  unknownTag: {
    agent: 'is not a tag of this account; find its id with tags_list, or create it with tags_create',
    en: 'Choose a tag from the list.',
    es: 'Elija una etiqueta de la lista.',
  },
  tooMany: {
    agent: 'the account has {max} tags, which is the maximum; delete an unused one with tags_delete',
    en: 'You have {max} tags, which is the limit. Delete one you don’t use.',
    es: 'Tiene {max} etiquetas, que es el máximo. Elimine una que no use.',
  },
})

explainConstraints({
  tags_name: {
    en: 'Another tag has this name. Choose a different name.',
    es: 'Otra etiqueta ya tiene este nombre. Elija otro.',
  },
})
