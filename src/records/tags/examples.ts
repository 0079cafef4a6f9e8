import { byId, freshName, type Examples } from '../../tools/declare/examples.ts'

export const examples: Examples<'tag'> = {
  make: async ({ call, word }) => ({ tag: (await call('tags_create', { name: `${word} tag` })).id }),
  given: {
    list: () => [{}],
    get: byId('tag'),
    create: () => [{ name: freshName() }],
    update: (of) => [{ id: of.tag, color: '#123456' }],
    delete: byId('tag'),
  },
}
