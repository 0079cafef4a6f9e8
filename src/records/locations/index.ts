export {
  addLocations,
  completeLocation as completedLocation,
  locationFor,
  locationInputs,
  locationQuery,
  locationsOf,
  moveLocations,
} from './location.ts'
export type { Location, LocationDraft as TypedLocation } from './location.ts'
