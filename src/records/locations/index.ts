export {
  addLocations,
  completeLocation as completedLocation,
  locationFor,
  locationQuery,
  locationsOf,
  moveLocations,
} from './location.ts'
export { LOCATION, PIN_FIELDS, type Location, type LocationDraft as TypedLocation } from './fields.ts'
