import { DEFAULT_CEILINGS, type Area, type Ceiling, type Level } from '../../../src/identity/permissions/areas.ts'

const everywhere = (level: Level): Ceiling => {
  const ceiling = { ...DEFAULT_CEILINGS.owner }
  for (const area of Object.keys(ceiling) as Area[]) ceiling[area] = level
  return ceiling
}

/** Returns a ceiling that allows only the given areas. */
export const onlyAreas = (areas: Partial<Ceiling>): Ceiling => ({ ...everywhere('none'), ...areas })

export const NO_AREAS = onlyAreas({})
