import { say } from '../../../platform/i18n/say.ts'
import { starterItem, type StarterTrade } from './starter.ts'

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
    starterItem('service', 'mow', () => say`Mow and edge, up to 1/4 acre`, 'lawn', 55, { minutes: 45, isCommon: true }),
    starterItem('service', 'mow_large', () => say`Mow and edge, up to 1/2 acre`, 'lawn', 85, {
      minutes: 75,
      isCommon: true,
    }),
    starterItem('service', 'fertilize', () => say`Fertilize`, 'lawn', 75, { minutes: 30, isCommon: true }),
    starterItem('service', 'weeds', () => say`Weed control`, 'lawn', 85, { minutes: 45, isCommon: true }),
    starterItem('service', 'aerate', () => say`Aerate and overseed`, 'lawn', 245, { minutes: 120, isCommon: true }),
    starterItem('service', 'leaves', () => say`Leaf removal`, 'lawn', 195, { minutes: 150, isCommon: true }),
    starterItem('service', 'spring', () => say`Spring cleanup`, 'beds', 345, { minutes: 240, isCommon: true }),
    starterItem('service', 'fall', () => say`Fall cleanup`, 'beds', 345, { minutes: 240, isCommon: true }),
    starterItem('service', 'hedge', () => say`Trim hedges`, 'beds', 145, { minutes: 90, isCommon: true }),
    starterItem('service', 'prune', () => say`Prune a small tree`, 'beds', 165, { minutes: 90 }),
    starterItem('service', 'mulch', () => say`Spread mulch, per yard`, 'beds', 95, { minutes: 45, isCommon: true }),
    starterItem('service', 'plant', () => say`Plant a shrub`, 'beds', 45, { minutes: 30 }),
    starterItem('service', 'start_up', () => say`Start up sprinklers`, 'irrigation', 95, {
      minutes: 60,
      isCommon: true,
    }),
    starterItem('service', 'winterize', () => say`Winterize sprinklers`, 'irrigation', 95, {
      minutes: 45,
      isCommon: true,
    }),
    starterItem('service', 'head', () => say`Replace sprinkler head`, 'irrigation', 65, {
      minutes: 30,
      isCommon: true,
    }),
    starterItem('product', 'sod', () => say`Sod, per pallet`, 'material', 325, { unit: 'pallet' }),
    starterItem('product', 'mulch_bag', () => say`Mulch, per yard`, 'material', 48, { unit: 'yard' }),
    starterItem('labor', 'hour', () => say`Crew member`, 'labor', 55, { unit: 'hour', isCommon: true }),
    starterItem('fee', 'dump', () => say`Haul-away`, 'labor', 75, { isCommon: true }),
  ],
}
