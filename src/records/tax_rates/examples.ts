import { byId, freshName, type Examples } from '../../tools/declare/examples.ts'

export const examples: Examples<'rate'> = {
  make: async ({ call, word }) => ({
    rate: (await call('tax_rates_create', { name: `${word} rate`, rate_percentage: 8.25, is_default: true })).id,
  }),
  given: {
    list: () => [{ include_archived: true }],
    get: byId('rate'),
    create: () => [{ name: freshName(), rate_percentage: 1 }],
    update: (of) => [{ id: of.rate, name: 'x' }],
    archive: byId('rate'),
  },
}
