import { explainConstraints } from '../../platform/db/refusals.ts'
import { defineRefusals } from '../../platform/errors/refusal_text.ts'

/** Refusals of categories and of fields that name them. */
export const refusals = defineRefusals('catalog_categories', {
  unknown: {
    agent: 'is not a category of this account; find its id with catalog_categories_list',
    en: 'Choose a category from the list.',
    es: 'Elija una categoría de la lista.',
  },
  underItself: {
    agent:
      "would put ''{name}'' under itself or one of its descendants; choose another parent_id, or null for the root",
    en: '“{name}” can’t be moved into itself or into one of its subcategories. Choose another category.',
    es: '«{name}» no puede quedar dentro de sí misma ni de una de sus subcategorías. Elija otra categoría.',
  },
  tooDeep: {
    agent: 'would make the tree {depth} levels deep; the maximum is {max}; choose a parent closer to the root',
    en: 'Categories can be at most {max} levels deep. Choose a category closer to the top.',
    es: 'Las categorías pueden tener {max} niveles como máximo. Elija una categoría de un nivel más alto.',
  },
  sameNameAbove: {
    agent:
      "child ''{name}'' would move up next to a category with the same name; " +
      'rename one of them first with catalog_categories_update',
    en: 'The subcategory “{name}” would move up next to a category with the same name. Rename one of them first.',
    es:
      'La subcategoría «{name}» subiría junto a otra categoría con el mismo nombre. ' +
      'Cambie antes el nombre de una de ellas.',
  },
})

explainConstraints({
  catalog_categories_name: {
    en: 'Another category at this level has this name. Choose a different name.',
    es: 'Otra categoría de este nivel ya tiene este nombre. Elija otro.',
  },
})
