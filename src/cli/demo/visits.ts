import type { DemoLine } from './catalog.ts'
import type { PersonName } from './people.ts'

/** Describes a visit of the week; one without a day waits to be scheduled. */
export type DemoVisit = {
  /** Is the name by which other parts refer to it. */
  ref?: string
  /** Counts working days from today, negative before it. */
  day?: number
  at?: string
  minutes: number
  by?: readonly PersonName[]
  for: string
  /** Is the name of the customer's location, when it isn't the primary one. */
  place?: string
  title: string
  lines: readonly DemoLine[]
  instructions?: string
  description?: string
  priority?: 'low' | 'high' | 'urgent'
  window?: number
  /** Names the quote that was accepted. */
  quote?: string
  /** Is what became of it by now; what is before today is done. */
  now?: 'done' | 'in_progress' | 'en_route' | 'on_hold'
  /** Says why it was canceled. */
  cancelled?: string
}

/** Lists visits by day and technician. They work from 8 to 16, so that the recurring work is outside of it. */
export const VISITS: readonly DemoVisit[] = [
  {
    ref: 'brandt_drain', day: -2, at: '08:00', minutes: 90, by: ['marcus'], for: 'brandt', title: 'Kitchen line backs up', lines: ['trip', 'drain'],
    instructions: 'Camera before cabling, see the note. Close the gate behind you.', priority: 'high',
  },
  {
    day: -2, at: '10:30', minutes: 60, by: ['marcus'], for: 'hydepark', ref: 'speedway_boiler', title: 'Boiler relief valve weeps',
    lines: ['trip', ['plumber', 1], { kind: 'product', name: 'Relief valve, 30 psi', unit_price_cents: 6_800 }],
  },
  {
    day: -2, at: '08:30', minutes: 90, by: ['luis'], for: 'singh', ref: 'singh_descale', title: 'Tankless descaling',
    lines: ['descale', 'plan_discount'],
  },
  {
    day: -2, at: '13:00', minutes: 60, by: ['luis'], for: 'castellanos', title: 'No hot water', description: 'Thermocouple, covered by our warranty.',
    lines: [],
  },
  {
    day: -2, at: '09:00', minutes: 60, by: ['tasha'], for: 'novak', title: 'Heating tune-up',
    lines: ['tune_up', 'filter', 'plan_discount'], instructions: 'Dog on site. Check static pressure again.',
  },
  {
    day: -2, at: '08:00', minutes: 135, by: ['cole'], for: 'foundry', ref: 'foundry_backflow', title: 'Backflow tests, three devices',
    lines: [['backflow', 3]], instructions: 'Freight elevator code 5150.',
  },

  {
    day: -1, at: '08:00', minutes: 60, by: ['marcus'], for: 'calaveras', title: 'Grease trap pumping', lines: ['grease'],
    instructions: 'Out of the alley before 11.',
  },
  {
    day: -1, at: '13:00', minutes: 90, by: ['marcus'], for: 'park', title: 'Bathroom sink drains slowly', lines: ['trip', 'fixture_drain'],
    description: 'Under $250, so no call to the landlord is needed.',
  },
  {
    ref: 'goldberg_heater', day: -1, at: '08:30', minutes: 240, by: ['luis', 'cole'], for: 'goldberg', title: 'Water heater replacement',
    lines: ['heater_swap'],
    description: 'Old tank leaked from the seam.', instructions: 'Permit is on the clipboard. Two to carry it down the stairs.', priority: 'high',
  },
  {
    day: -1, at: '08:00', minutes: 120, by: ['tasha'], for: 'huang', title: 'Heating tune-up, two zones',
    lines: [['tune_up', 2], ['filter', 2], 'plan_discount'], instructions: 'Gate code 4417#.',
  },
  {
    day: -1, at: '11:00', minutes: 90, by: ['tasha'], for: 'riverbend', ref: 'riverbend_room', title: 'Exam room 2 stays cold',
    lines: ['diagnosis', 'capacitor'],
  },
  { day: -1, at: '14:00', minutes: 45, by: ['cole'], for: 'lindqvist', title: 'Hose bib drips', lines: ['trip', ['plumber', 0.5]], priority: 'low' },

  { day: 0, at: '08:00', minutes: 60, by: ['marcus'], for: 'freeman', title: 'Toilet keeps running', lines: ['trip', ['plumber', 0.5]], now: 'done' },
  {
    day: 0, at: '09:30', minutes: 120, by: ['marcus'], for: 'delgado', title: 'Leak under the slab', lines: ['trip', 'leak_search'],
    now: 'in_progress', priority: 'urgent',
    description: 'Warm spot in the hallway, water bill doubled.', instructions: 'Call Rubén when you are close. Bring the acoustic set.',
  },
  {
    day: 0, at: '14:00', minutes: 60, by: ['marcus'], for: 'cedarpark', title: 'Pool house: flush valve', lines: ['trip', ['plumber', 1]], window: 60,
  },
  {
    day: 0, at: '10:00', minutes: 90, by: ['luis'], for: 'ramirez', title: 'Disposer hums and trips', lines: [], now: 'en_route',
    description: 'Exchange under warranty.', instructions: 'New disposer is on the shelf by the door with the name on it.',
  },
  {
    day: 0, at: '13:30', minutes: 90, by: ['luis'], for: 'oconnell', title: 'Pressure drops while showering', lines: ['trip', ['plumber', 1.5]],
    window: 120, instructions: 'Well and pressure tank, see the note.',
  },
  {
    day: 0, at: '08:30', minutes: 120, by: ['tasha'], for: 'stelmo', quote: 'contactor', title: 'Contactor of rooftop unit 3',
    lines: ['contactor', ['technician', 1]], now: 'in_progress', instructions: 'Lock the unit out first. Units are numbered from the bell tower.',
  },
  {
    day: 0, at: '13:00', minutes: 120, by: ['tasha'], for: 'tran', title: 'Refrigerant leak check', lines: ['diagnosis', ['refrigerant', 2]],
    window: 60,
  },
  {
    day: 0, at: '09:00', minutes: 60, by: ['cole'], for: 'lantern', title: 'Classroom faucet is loose', lines: ['trip', ['plumber', 0.5]],
    now: 'on_hold', instructions: 'Not before 3:15 in the classrooms: waits for a call back.',
  },
  {
    day: 0, at: '14:30', minutes: 60, by: ['cole'], for: 'foundry', title: 'Restroom 4: floor drain smells', lines: ['fixture_drain'],
    cancelled: 'The tenant of that floor moves out first; they call again.',
  },

  {
    day: 1, at: '08:00', minutes: 90, by: ['marcus'], for: 'brandt', title: 'Camera after cabling', lines: ['camera'],
    description: 'Included in the price when we dig.',
  },
  {
    day: 1, at: '10:30', minutes: 60, by: ['marcus'], for: 'hydepark', place: 'Duval duplex', title: 'Unit B: tub drains slowly',
    lines: ['fixture_drain'], instructions: 'Unit number goes on the invoice.',
  },
  {
    day: 1, at: '08:30', minutes: 75, by: ['luis'], for: 'okafor', title: 'Water heater flush and anode', lines: ['flush', 'plan_discount'],
    instructions: 'Text Ngozi on the way.', window: 30,
  },
  {
    day: 1, at: '13:00', minutes: 120, by: ['luis', 'cole'], for: 'bluestem', place: 'Zaragoza new build', title: 'Top-out inspection with the city',
    lines: [['plumber', 4]], priority: 'high',
  },
  { day: 1, at: '09:00', minutes: 60, by: ['tasha'], for: 'novak', title: 'Media cabinet: measure', lines: [], priority: 'low' },
  { day: 1, at: '08:00', minutes: 90, by: ['cole'], for: 'cedarpark', title: 'Clubhouse backflow tests', lines: [['backflow', 2]] },

  {
    day: 2, at: '08:00', minutes: 120, by: ['marcus'], for: 'calaveras', title: 'Jet the kitchen lines',
    lines: ['drain', { kind: 'service', name: 'High-pressure jetting', unit_price_cents: 24_000 }],
  },
  {
    day: 2, at: '09:00', minutes: 90, by: ['luis'], for: 'whitaker', title: 'Powder room: new faucet',
    lines: [['plumber', 1], { kind: 'product', name: 'Faucet, brushed brass', unit_price_cents: 31_900 }],
  },
  { day: 2, at: '08:30', minutes: 60, by: ['tasha'], for: 'singh', title: 'Heating tune-up', lines: ['tune_up', 'plan_discount'] },
  {
    day: 2, at: '10:30', minutes: 120, by: ['tasha'], for: 'riverbend', title: 'Two rooftop units: fall tune-up',
    lines: [['tune_up', 2], ['filter', 4]],
  },
  {
    day: 2, at: '09:00', minutes: 60, by: ['cole'], for: 'lindqvist', title: 'Replace hose bib',
    lines: [['plumber', 1], { kind: 'product', name: 'Frost-free hose bib', unit_price_cents: 4_800 }],
  },

  {
    day: 3, at: '08:30', minutes: 240, by: ['tasha', 'cole'], for: 'huang', quote: 'media_cabinets', title: 'Media cabinets for both zones',
    lines: [['technician', 4], ['filter', 2], 'plan_discount'], instructions: 'Cabinets come in the day before.',
  },
  { day: 3, at: '10:00', minutes: 60, by: ['luis'], for: 'oconnell', title: 'Pressure tank: second look', lines: [['plumber', 1]] },

  {
    minutes: 90, for: 'whitaker', place: 'Lake house', title: 'Open the lake house', lines: ['flush', ['plumber', 1]],
    instructions: 'Water on, heater flushed, dock hose bib checked, the day before she comes.',
  },
  { minutes: 240, for: 'ramirez', title: 'Move the laundry hookup', lines: [['plumber', 4]], priority: 'low' },
  { minutes: 60, for: 'hydepark', title: 'Speedway: yearly boiler check', lines: ['diagnosis'], description: 'Any day before the first frost.' },
]
