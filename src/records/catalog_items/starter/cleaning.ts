import { say } from '../../../platform/i18n/say.ts'
import { starter, type StarterTrade } from './starter.ts'

/** Typical catalog of a cleaning company, at typical prices in US dollars of 2026. */
export const cleaning: StarterTrade = {
  name: () => say`Cleaning`,
  categories: {
    homes: () => say`Homes`,
    offices: () => say`Offices`,
    extras: () => say`Extras`,
    labor: () => say`Labor & fees`,
  },
  items: [
    starter('service', 'regular', () => say`Regular cleaning`, 'homes', 145, { minutes: 120, isCommon: true }),
    starter('service', 'deep', () => say`Deep cleaning`, 'homes', 295, { minutes: 240, isCommon: true }),
    starter('service', 'move', () => say`Move-out cleaning`, 'homes', 345, { minutes: 300, isCommon: true }),
    starter('service', 'first', () => say`First cleaning`, 'homes', 225, { minutes: 180, isCommon: true }),
    starter('service', 'rental', () => say`Vacation rental turnover`, 'homes', 165, { minutes: 120 }),
    starter('service', 'office', () => say`Office cleaning`, 'offices', 185, { minutes: 120, isCommon: true }),
    starter('service', 'office_night', () => say`Nightly office cleaning`, 'offices', 125, { minutes: 90 }),
    starter('service', 'construction', () => say`After-construction cleaning`, 'offices', 545, { minutes: 360 }),
    starter('service', 'oven', () => say`Inside oven`, 'extras', 45, { minutes: 30, isCommon: true }),
    starter('service', 'fridge', () => say`Inside refrigerator`, 'extras', 45, { minutes: 30, isCommon: true }),
    starter('service', 'windows', () => say`Inside windows`, 'extras', 75, { minutes: 60, isCommon: true }),
    starter('service', 'carpet', () => say`Carpet, one room`, 'extras', 65, { minutes: 45, isCommon: true }),
    starter('service', 'laundry', () => say`Laundry, one load`, 'extras', 25, { minutes: 30 }),
    starter('service', 'linen', () => say`Change bed linen`, 'extras', 15, { minutes: 15 }),
    starter('labor', 'hour', () => say`Cleaner`, 'labor', 48, { unit: 'hour', isCommon: true }),
    starter('fee', 'supplies', () => say`Supplies`, 'labor', 15, { isCommon: true }),
    starter('fee', 'lockout', () => say`Missed visit`, 'labor', 60, { taxable: false }),
  ],
}
