/** Degrees of WGS 84. */
export type Coordinates = { latitude: number; longitude: number }

/** How well a position is known: set by a person, found by its street, or the center of its ZIP code. */
type PositionPrecision = 'pin' | 'street' | 'zip'

export type Position = Coordinates & { precision: PositionPrecision; source: string }

export const areCoordinates = (latitude: number, longitude: number): boolean =>
  Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
