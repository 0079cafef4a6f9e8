import { say } from '../../../platform/i18n/say.ts'
import { starter, type StarterTrade } from './starter.ts'

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
    starter('fee', 'visit', () => say`Service call`, 'labor', 89, { taxable: false, isCommon: true }),
    starter('fee', 'after_hours', () => say`After-hours call`, 'labor', 189, { taxable: false, isCommon: true }),
    starter('labor', 'hour', () => say`Plumber`, 'labor', 145, { unit: 'hour', taxable: false, isCommon: true }),
    starter('labor', 'helper', () => say`Helper`, 'labor', 75, { unit: 'hour', taxable: false }),
    starter('fee', 'permit', () => say`Permit`, 'labor', 150, { taxable: false }),
    starter('service', 'faucet', () => say`Replace faucet`, 'service', 285, { minutes: 90, isCommon: true }),
    starter('service', 'toilet_repair', () => say`Rebuild toilet`, 'service', 195, { minutes: 60, isCommon: true }),
    starter('service', 'toilet', () => say`Install toilet`, 'service', 325, { minutes: 120, isCommon: true }),
    starter('service', 'disposal', () => say`Install garbage disposal`, 'service', 265, {
      minutes: 90,
      isCommon: true,
    }),
    starter('service', 'leak', () => say`Find a leak`, 'service', 245, { minutes: 90, isCommon: true }),
    starter('service', 'valve', () => say`Replace shutoff valve`, 'service', 225, { minutes: 60, isCommon: true }),
    starter('service', 'hose_bib', () => say`Replace outdoor faucet`, 'service', 245, { minutes: 60 }),
    starter('service', 'sump', () => say`Replace sump pump`, 'service', 685, { minutes: 150 }),
    starter('service', 'drain', () => say`Clear a drain`, 'drains', 195, { minutes: 60, isCommon: true }),
    starter('service', 'main', () => say`Clear the main line`, 'drains', 385, { minutes: 120, isCommon: true }),
    starter('service', 'camera', () => say`Camera inspection`, 'drains', 295, { minutes: 60, isCommon: true }),
    starter('service', 'jetting', () => say`Hydro jetting`, 'drains', 595, { minutes: 150 }),
    starter('service', 'flush', () => say`Flush water heater`, 'heaters', 175, { minutes: 60, isCommon: true }),
    starter('service', 'tank', () => say`Install 50-gallon water heater`, 'heaters', 1950, {
      minutes: 240,
      isCommon: true,
    }),
    starter('service', 'tankless', () => say`Service tankless water heater`, 'heaters', 245, { minutes: 90 }),
    starter('product', 'supply', () => say`Supply line`, 'parts', 18, { unit: 'each' }),
    starter('product', 'wax_ring', () => say`Wax ring`, 'parts', 12, { unit: 'each' }),
  ],
}
