export { addLocations, completedLocation, locationFor, locationInputs, locationsOf, moveLocations } from './location.ts'
export type { Location, TypedLocation } from './location.ts'
