import { say } from '../../../platform/i18n/say.ts'
import { starterItem, type StarterTrade } from './starter.ts'

/** Typical catalog of a heating and air company, at typical prices in US dollars of 2026. */
export const hvac: StarterTrade = {
  name: () => say`Heating & air`,
  categories: {
    maintenance: () => say`Maintenance`,
    repair: () => say`Repair`,
    install: () => say`Installation`,
    parts: () => say`Parts`,
    labor: () => say`Labor & fees`,
  },
  items: [
    starterItem('fee', 'diagnosis', () => say`Diagnostic visit`, 'labor', 99, { taxable: false, isCommon: true }),
    starterItem('fee', 'after_hours', () => say`After-hours call`, 'labor', 199, { taxable: false, isCommon: true }),
    starterItem('labor', 'hour', () => say`HVAC technician`, 'labor', 155, {
      unit: 'hour',
      taxable: false,
      isCommon: true,
    }),
    starterItem('labor', 'helper', () => say`Helper`, 'labor', 80, { unit: 'hour', taxable: false }),
    starterItem('fee', 'permit', () => say`Permit`, 'labor', 175, { taxable: false }),
    starterItem('service', 'ac_tuneup', () => say`Air conditioner tune-up`, 'maintenance', 129, {
      minutes: 75,
      isCommon: true,
    }),
    starterItem('service', 'heat_tuneup', () => say`Furnace tune-up`, 'maintenance', 129, {
      minutes: 75,
      isCommon: true,
    }),
    starterItem('service', 'coil', () => say`Clean coil`, 'maintenance', 245, { minutes: 90, isCommon: true }),
    starterItem('service', 'condensate', () => say`Clear condensate drain`, 'maintenance', 165, {
      minutes: 45,
      isCommon: true,
    }),
    starterItem('service', 'duct', () => say`Duct cleaning`, 'maintenance', 495, { minutes: 240 }),
    starterItem('service', 'capacitor', () => say`Replace capacitor`, 'repair', 265, { minutes: 45, isCommon: true }),
    starterItem('service', 'contactor', () => say`Replace contactor`, 'repair', 285, { minutes: 45, isCommon: true }),
    starterItem('service', 'blower', () => say`Replace blower motor`, 'repair', 745, { minutes: 150, isCommon: true }),
    starterItem('service', 'igniter', () => say`Replace igniter`, 'repair', 315, { minutes: 60, isCommon: true }),
    starterItem('service', 'leak', () => say`Find a refrigerant leak`, 'repair', 345, { minutes: 120, isCommon: true }),
    starterItem('service', 'recharge', () => say`Recharge refrigerant`, 'repair', 395, { minutes: 90 }),
    starterItem('service', 'thermostat', () => say`Install thermostat`, 'install', 285, {
      minutes: 60,
      isCommon: true,
    }),
    starterItem('service', 'system', () => say`Replace 3-ton system`, 'install', 9850, { minutes: 600 }),
    starterItem('service', 'mini_split', () => say`Install mini split`, 'install', 4250, { minutes: 480 }),
    starterItem('product', 'filter', () => say`Filter 16×25×1`, 'parts', 22, { unit: 'each', isCommon: true }),
    starterItem('product', 'media', () => say`Media filter`, 'parts', 49, { unit: 'each' }),
    starterItem('product', 'uv', () => say`UV light`, 'parts', 325, { unit: 'each' }),
  ],
}
