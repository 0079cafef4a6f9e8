import { say } from '../../../platform/i18n/say.ts'
import { starterItem, type StarterTrade } from './starter.ts'

/** Typical catalog of a plumbing company, at typical prices in US dollars of 2026. */
export const plumbing: StarterTrade = {
  name: () => say`Plumbing`,
  categories: {
    service: () => say`Plumbing service`,
    drains: () => say`Drains`,
    heaters: () => say`Water heaters`,
    parts: () => say`Parts`,
    labor: () => say`Labor & fees`,
  },
  items: [
    starterItem('fee', 'visit', () => say`Service call`, 'labor', 89, { taxable: false, isCommon: true }),
    starterItem('fee', 'after_hours', () => say`After-hours call`, 'labor', 189, { taxable: false, isCommon: true }),
    starterItem('labor', 'hour', () => say`Plumber`, 'labor', 145, { unit: 'hour', taxable: false, isCommon: true }),
    starterItem('labor', 'helper', () => say`Helper`, 'labor', 75, { unit: 'hour', taxable: false }),
    starterItem('fee', 'permit', () => say`Permit`, 'labor', 150, { taxable: false }),
    starterItem('service', 'faucet', () => say`Replace faucet`, 'service', 285, { minutes: 90, isCommon: true }),
    starterItem('service', 'toilet_repair', () => say`Rebuild toilet`, 'service', 195, { minutes: 60, isCommon: true }),
    starterItem('service', 'toilet', () => say`Install toilet`, 'service', 325, { minutes: 120, isCommon: true }),
    starterItem('service', 'disposal', () => say`Install garbage disposal`, 'service', 265, {
      minutes: 90,
      isCommon: true,
    }),
    starterItem('service', 'leak', () => say`Find a leak`, 'service', 245, { minutes: 90, isCommon: true }),
    starterItem('service', 'valve', () => say`Replace shutoff valve`, 'service', 225, { minutes: 60, isCommon: true }),
    starterItem('service', 'hose_bib', () => say`Replace outdoor faucet`, 'service', 245, { minutes: 60 }),
    starterItem('service', 'sump', () => say`Replace sump pump`, 'service', 685, { minutes: 150 }),
    starterItem('service', 'drain', () => say`Clear a drain`, 'drains', 195, { minutes: 60, isCommon: true }),
    starterItem('service', 'main', () => say`Clear the main line`, 'drains', 385, { minutes: 120, isCommon: true }),
    starterItem('service', 'camera', () => say`Camera inspection`, 'drains', 295, { minutes: 60, isCommon: true }),
    starterItem('service', 'jetting', () => say`Hydro jetting`, 'drains', 595, { minutes: 150 }),
    starterItem('service', 'flush', () => say`Flush water heater`, 'heaters', 175, { minutes: 60, isCommon: true }),
    starterItem('service', 'tank', () => say`Install 50-gallon water heater`, 'heaters', 1950, {
      minutes: 240,
      isCommon: true,
    }),
    starterItem('service', 'tankless', () => say`Service tankless water heater`, 'heaters', 245, { minutes: 90 }),
    starterItem('product', 'supply', () => say`Supply line`, 'parts', 18, { unit: 'each' }),
    starterItem('product', 'wax_ring', () => say`Wax ring`, 'parts', 12, { unit: 'each' }),
  ],
}
