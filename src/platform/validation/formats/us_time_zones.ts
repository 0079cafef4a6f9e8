const [EASTERN, CENTRAL, MOUNTAIN, PACIFIC] = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
] as const

/** States and territories with the time zones of their parts (49 CFR 71). */
const STATES: readonly [codes: string, zones: readonly string[]][] = [
  ['CT DE DC GA ME MD MA NH NJ NY NC OH PA RI SC VT VA WV', [EASTERN]],
  ['FL IN KY MI TN', [EASTERN, CENTRAL]],
  ['AL AR IL IA LA MN MS MO OK WI', [CENTRAL]],
  ['KS NE ND SD TX', [CENTRAL, MOUNTAIN]],
  ['CO MT NM UT WY', [MOUNTAIN]],
  ['AZ', ['America/Phoenix', MOUNTAIN]],
  ['ID NV OR', [MOUNTAIN, PACIFIC]],
  ['CA WA', [PACIFIC]],
  ['AK', ['America/Anchorage', 'America/Adak']],
  ['HI', ['Pacific/Honolulu']],
  ['PR VI', ['America/Puerto_Rico']],
  ['GU MP', ['Pacific/Guam']],
  ['AS', ['Pacific/Pago_Pago']],
]

const ZONES = new Map(STATES.flatMap(([codes, zones]) => codes.split(' ').map((code) => [code, zones] as const)))

/** Returns the time zones of a state by its code, such as `TX`; none for an unknown code. */
export const timeZonesOf = (state: string): readonly string[] => ZONES.get(state.trim().toUpperCase()) ?? []
