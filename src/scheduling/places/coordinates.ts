/** Coordinates in degrees (WGS 84). */
export type Coordinates = { latitude: number; longitude: number }

/** Precision of a position: set by a person, found by its street, or the center of its ZIP code. */
type PositionPrecision = 'pin' | 'street' | 'zip'

export type Position = Coordinates & { precision: PositionPrecision; source: string }

export const areCoordinates = (latitude: number, longitude: number): boolean =>
  Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
