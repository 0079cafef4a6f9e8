import { say } from '../../../platform/i18n/say.ts'
import { starterItem, type StarterTrade } from './starter.ts'

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
    starterItem('service', 'regular', () => say`Regular cleaning`, 'homes', 145, { minutes: 120, isCommon: true }),
    starterItem('service', 'deep', () => say`Deep cleaning`, 'homes', 295, { minutes: 240, isCommon: true }),
    starterItem('service', 'move', () => say`Move-out cleaning`, 'homes', 345, { minutes: 300, isCommon: true }),
    starterItem('service', 'first', () => say`First cleaning`, 'homes', 225, { minutes: 180, isCommon: true }),
    starterItem('service', 'rental', () => say`Vacation rental turnover`, 'homes', 165, { minutes: 120 }),
    starterItem('service', 'office', () => say`Office cleaning`, 'offices', 185, { minutes: 120, isCommon: true }),
    starterItem('service', 'office_night', () => say`Nightly office cleaning`, 'offices', 125, { minutes: 90 }),
    starterItem('service', 'construction', () => say`After-construction cleaning`, 'offices', 545, { minutes: 360 }),
    starterItem('service', 'oven', () => say`Inside oven`, 'extras', 45, { minutes: 30, isCommon: true }),
    starterItem('service', 'fridge', () => say`Inside refrigerator`, 'extras', 45, { minutes: 30, isCommon: true }),
    starterItem('service', 'windows', () => say`Inside windows`, 'extras', 75, { minutes: 60, isCommon: true }),
    starterItem('service', 'carpet', () => say`Carpet, one room`, 'extras', 65, { minutes: 45, isCommon: true }),
    starterItem('service', 'laundry', () => say`Laundry, one load`, 'extras', 25, { minutes: 30 }),
    starterItem('service', 'linen', () => say`Change bed linen`, 'extras', 15, { minutes: 15 }),
    starterItem('labor', 'hour', () => say`Cleaner`, 'labor', 48, { unit: 'hour', isCommon: true }),
    starterItem('fee', 'supplies', () => say`Supplies`, 'labor', 15, { isCommon: true }),
    starterItem('fee', 'lockout', () => say`Missed visit`, 'labor', 60, { taxable: false }),
  ],
}
