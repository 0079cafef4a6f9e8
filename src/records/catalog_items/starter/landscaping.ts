import { say } from '../../../platform/i18n/say.ts'
import { starter, type StarterTrade } from './starter.ts'

/** Typical catalog of a landscaping company, at typical prices in US dollars of 2026. */
export const landscaping: StarterTrade = {
  name: () => say`Landscaping`,
  categories: {
    lawn: () => say`Lawn care`,
    beds: () => say`Beds & trees`,
    irrigation: () => say`Irrigation`,
    material: () => say`Material`,
    labor: () => say`Labor & fees`,
  },
  items: [
    starter('service', 'mow', () => say`Mow and edge, up to 1/4 acre`, 'lawn', 55, { minutes: 45, isCommon: true }),
    starter('service', 'mow_large', () => say`Mow and edge, up to 1/2 acre`, 'lawn', 85, {
      minutes: 75,
      isCommon: true,
    }),
    starter('service', 'fertilize', () => say`Fertilize`, 'lawn', 75, { minutes: 30, isCommon: true }),
    starter('service', 'weeds', () => say`Weed control`, 'lawn', 85, { minutes: 45, isCommon: true }),
    starter('service', 'aerate', () => say`Aerate and overseed`, 'lawn', 245, { minutes: 120, isCommon: true }),
    starter('service', 'leaves', () => say`Leaf removal`, 'lawn', 195, { minutes: 150, isCommon: true }),
    starter('service', 'spring', () => say`Spring cleanup`, 'beds', 345, { minutes: 240, isCommon: true }),
    starter('service', 'fall', () => say`Fall cleanup`, 'beds', 345, { minutes: 240, isCommon: true }),
    starter('service', 'hedge', () => say`Trim hedges`, 'beds', 145, { minutes: 90, isCommon: true }),
    starter('service', 'prune', () => say`Prune a small tree`, 'beds', 165, { minutes: 90 }),
    starter('service', 'mulch', () => say`Spread mulch, per yard`, 'beds', 95, { minutes: 45, isCommon: true }),
    starter('service', 'plant', () => say`Plant a shrub`, 'beds', 45, { minutes: 30 }),
    starter('service', 'start_up', () => say`Start up sprinklers`, 'irrigation', 95, { minutes: 60, isCommon: true }),
    starter('service', 'winterize', () => say`Winterize sprinklers`, 'irrigation', 95, { minutes: 45, isCommon: true }),
    starter('service', 'head', () => say`Replace sprinkler head`, 'irrigation', 65, { minutes: 30, isCommon: true }),
    starter('product', 'sod', () => say`Sod, per pallet`, 'material', 325, { unit: 'pallet' }),
    starter('product', 'mulch_bag', () => say`Mulch, per yard`, 'material', 48, { unit: 'yard' }),
    starter('labor', 'hour', () => say`Crew member`, 'labor', 55, { unit: 'hour', isCommon: true }),
    starter('fee', 'dump', () => say`Haul-away`, 'labor', 75, { isCommon: true }),
  ],
}
