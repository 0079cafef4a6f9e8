import { explainConstraints } from '../../platform/db/refusals.ts'

explainConstraints({
  vehicles_plate: {
    en: 'Another vehicle has this plate. Enter a different one.',
    es: 'Otro vehículo ya tiene esta placa. Escriba otra.',
  },
})
