import type { DemoVisit } from './visit.ts'
import { VISITS_BEFORE } from './visits_before.ts'

/** Lists visits by day and technician. They work from 8 to 16, so that the recurring work is outside of it. */
export const VISITS: readonly DemoVisit[] = [
  ...VISITS_BEFORE,
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
