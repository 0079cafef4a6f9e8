export {
  addLocations,
  completeLocation as completedLocation,
  locationFor,
  locationQuery,
  locationsOf,
  moveLocations,
} from './location.ts'
export { LOCATION, type Location, type LocationDraft as TypedLocation } from './fields.ts'
