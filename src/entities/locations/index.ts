export { addLocations, completedLocation, locationFor, locationInputs, locationsOf, moveLocations } from './location.ts'
export type { Location } from './location.ts'
