import { byId, freshName, type Examples } from '../../tools/declare/examples.ts'

export const examples: Examples<'vehicle'> = {
  make: async ({ call, word }) => ({
    vehicle: (
      await call('vehicles_create', {
        name: `${word} van`,
        plate: freshName(),
        vin: '1FTBW2CM5HKA00001',
        notes: `${word} ladder`,
      })
    ).id,
  }),
  given: {
    list: () => [{}],
    get: byId('vehicle'),
    create: () => [{ name: 'Van', plate: freshName() }],
    update: (of) => [{ id: of.vehicle, notes: 'x' }],
    archive: byId('vehicle'),
  },
}
