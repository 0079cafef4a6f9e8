export { addLocations, completeLocation, locationFor, locationQuery, locationsOf, moveLocations } from './location.ts'
export { LOCATION, PIN_FIELDS, type Location, type LocationDraft } from './fields.ts'
