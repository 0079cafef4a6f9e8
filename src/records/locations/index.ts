export {
  addLocations,
  completedLocation,
  locationFor,
  locationInputs,
  locationQuery,
  locationsOf,
  moveLocations,
} from './location.ts'
export type { Location, TypedLocation } from './location.ts'
