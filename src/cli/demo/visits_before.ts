import type { DemoVisit } from './visit.ts'

/** Lists visits of the days before today, by day and technician. */
export const VISITS_BEFORE: readonly DemoVisit[] = [
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
]
