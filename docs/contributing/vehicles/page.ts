import { facts } from '../../platform/html/parts/facts.ts'
import { formFields } from '../declare/form_fields.ts'
import { sheetFacts } from '../page/sheet_facts.ts'
import { recordLink } from '../page/links.ts'
import { screen } from '../page/screen.ts'
import { VEHICLE, type Vehicle, type VehicleRow } from './fields.ts'
import { vehicles } from './tools.ts'

export const vehicleScreen = screen<Vehicle, VehicleRow>({
  entity: vehicles,
  title: 'Vehicles',
  singular: 'vehicle',
  menu: { group: 'catalog', position: 4 },
  listing: {
    filters: () => [{ kind: 'search', name: 'query', label: 'Name begins with' }],
    columns: (context) => [
      { name: 'name', label: 'Name', cell: ({ id, name }) => recordLink(context, 'vehicles', id, name) },
      { name: 'plate', label: 'Plate', cell: ({ plate }) => plate },
    ],
    empty: 'No vehicles yet. Add the vans and trucks that go to work.',
    exported: VEHICLE.listed,
  },
  nameOf: ({ name }) => name,
  fields: formFields(VEHICLE),
  actions: () => [
    {
      wire: 'vehicles_archive',
      label: 'Archive vehicle',
      kind: 'danger',
      warning: "It leaves the list. This can't be undone.",
    },
  ],
  sheet: async (context, vehicle) => facts(sheetFacts(context, VEHICLE, vehicle)),
})
