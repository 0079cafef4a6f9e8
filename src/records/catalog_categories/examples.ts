import { byId, freshName, type Examples } from '../../tools/declare/examples.ts'

export const examples: Examples<'parent' | 'category'> = {
  make: async ({ call, word }) => {
    const { id: parent } = await call('catalog_categories_create', { name: `${word} parent` })
    const { id: category } = await call('catalog_categories_create', { name: `${word} category`, parent_id: parent })
    return { parent, category }
  },
  given: {
    list: (of) => [{ parent_id: of.parent }, {}],
    get: byId('category'),
    create: (of) => [{ name: freshName(), parent_id: of.parent }],
    update: (of) => [{ id: of.category, parent_id: of.parent, position: 2 }],
    delete: byId('category'),
  },
}
